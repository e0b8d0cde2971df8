// Tier: all (as cuda_test.cpp)
// --memory of CUDA's programs, on a host that stands in for the device (fake_cuda.cpp): that arrays are where they were
// asked for, and answers are the same.
#include "tests/fake_cuda.hpp"

namespace boltzmark::testing {
namespace {

class CudaMemoryModes : public FakeCuda {
 protected:
  Outcome run_on_host(const std::string& workload, const Words& words, const Words& environment = {}) const {
    return run(workload, Words{"--json", folder_ / "records"} + words,
               Words{"BOLTZMARK_TEST_NVRTC=" BOLTZMARK_HOST_NVRTC} + environment);
  }
};

/// On a device with room for one word a buffer: what does not need it is right, what does is refused.
TEST_F(CudaMemoryModes, IsWhereItWasAskedFor) {
  write_text(folder_ / "flat.params", "13\n11\n6\n10\n0.1\n0.005\n1.7\n");
  const std::map<std::string, Words> cases = {{"stream", {"1003"}},
                                              {"reduce", {"10007", "--variant", "eight-values"}},
                                              {"lbm",
                                               {"--variant", "two-grid", "--reduction", "halves", "--no-output",
                                                "--check", "oracle", folder_ / "flat.params", "none"}}};
  const Words no_room = {"BOLTZMARK_TEST_DEVICE_BYTES=4"};
  for (const auto& [workload, words] : cases) {
    for (const char* memory : {"managed", "host"}) {
      const Outcome outcome = run_on_host(workload, words + Words{"--memory", memory}, no_room);
      ASSERT_EQ(outcome.status, 0) << workload << " " << memory << outcome.errors;
      const Record record = records_in(folder_ / "records").back();
      EXPECT_EQ(record.check.passed, true) << workload << " " << memory;
      EXPECT_EQ(record.settings.at("memory"), memory);
    }
    EXPECT_EQ(run_on_host(workload, words + Words{"--memory", "device"}, no_room).status, 3) << workload;
    ASSERT_EQ(run_on_host(workload, words).status, 0) << workload;
    EXPECT_FALSE(records_in(folder_ / "records").back().settings.contains("memory"));
  }
}

/// Sums and prefix sums by default: less than a vector, one tile, several with the last cut, and two vectors an item.
TEST_F(CudaMemoryModes, HasSumsOfAnySize) {
  const Words f64 = {"--precision", "f64"};
  for (const auto& [workload, words] : {std::pair{"reduce", Words{"1"}},
                                        {"reduce", Words{"100003"}},
                                        {"reduce", Words{"10007", "--operator", "and"} + f64},
                                        {"scan", Words{"1"}},
                                        {"scan", Words{"100003"}},
                                        {"scan", Words{"4097"} + f64},
                                        {"scan", Words{"200003", "--work-group", "32x1"}}}) {
    const Outcome outcome = run_on_host(workload, words);
    ASSERT_EQ(outcome.status, 0) << workload << words[0] << outcome.errors;
    const Record record = records_in(folder_ / "records").back();
    EXPECT_EQ(record.check.passed, true) << workload << words[0];
    EXPECT_EQ(record.variant, workload == std::string("scan") ? "run-ahead" : "vectors");
  }
}

/// The wavefront in registers, by warps that are blocks of their own: here those of a block have to vote together. Even
/// and odd rows, whose pairs of halves wrap; a last launch of fewer steps; both ends of --time-block, at which the grid is
/// smaller than a strip and all of what a warp knows of walls is needed.
TEST_F(CudaMemoryModes, HasSeveralStepsInALaunchInHalvesToo) {
  struct Case {
    int nx;
    const char *storage, *steps;
  };
  for (const auto& [nx, storage, steps] : {Case{64, "f16", "4"}, Case{64, "f32", "4"}, Case{37, "f16", "4"},
                                           Case{37, "f32", "4"}, Case{37, "f32", "2"}, Case{37, "f32", "14"}}) {
    SCOPED_TRACE(fmt::format("{} {} {}", nx, storage, steps));
    write_text(folder_ / "flat.params", fmt::format("{}\n29\n19\n10\n0.1\n0.005\n1.85\n", nx));
    write_text(folder_ / "flat.dat", "3 4 1\n20 27 1\n36 5 1\n0 11 1\n12 0 1\n");
    const Outcome outcome = run_on_host("lbm", {"--variant", "time-block", "--time-block", steps, "--work-group",
                                                "32x1", "--launches", "single", "--storage", storage, "--no-output",
                                                "--check", "reference", folder_ / "flat.params", folder_ / "flat.dat"});
    ASSERT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
    const Record record = records_in(folder_ / "records").back();
    EXPECT_EQ(record.check.passed, true);
    EXPECT_EQ(record.settings.at("storage"), storage);
  }
}

TEST_F(CudaMemoryModes, IsRefusedWhereItCannotBe) {
  for (const auto& [words, line] : std::map<Words, std::string>{
           {{"1003", "--memory", "hbm"}, "--memory"},
           {{"1003", "--variant", "textbook", "--memory", "host"}, "--memory: textbook does not take it"}}) {
    const Outcome outcome = run("stream", words);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_TRUE(has(outcome.errors, line)) << outcome.errors;
  }
}

}  // namespace
}  // namespace boltzmark::testing
