// Tier: all (an optional model, whose programs are compiled for it alone)
// The programs of sycl/ on a stand-in for SYCL (host_sycl/), as a processor and as a GPU: that they are right where
// nothing is a multiple of anything, and that the check sees where they are not.
#include <gtest/gtest.h>

#include "common/base/text.hpp"
#include "programs.hpp"

namespace boltzmark::testing {
namespace {

class Sycl : public ::testing::Test {
 protected:
  Sycl() {
    write_text(folder_ / "flat.params", "37\n11\n21\n10\n0.1\n0.005\n1.7\n");
    write_text(folder_ / "flat.dat", "3 4 1\n5 5 1\n0 9 1\n36 10 1\n");
    write_text(folder_ / "cube.params", "37\n9\n5\n12\n10\n0.1\n0.005\n1.7\n");
    write_text(folder_ / "cube.dat", "3 4 2 1\n5 5 1 1\n6 8 1 1 0.05\n7 8 1 1 -0.03\n");
  }
  Words case_of(const std::string& name) const {
    return {"--no-output", "--check", "reference", folder_ / (name + ".params"), folder_ / (name + ".dat")};
  }
  Outcome run(const std::string& workload, const Words& words, const Words& environment = {}) const {
    return run_command(Words{"env"} + environment + Words{BOLTZMARK_HOST_SYCL "/" + workload + "-sycl"} + words);
  }

  TemporaryFolder folder_;
};

TEST_F(Sycl, IsRightInEveryVariantOnBothDevices) {
  const std::map<std::string, std::vector<Words>> cases = {
      {"stream", {{"1003"}}},
      {"reduce", {{"10007"}, {"513", "--operator", "min"}}},
      {"scan", {{"140007"}, {"1"}}},
      {"heat", {{"70x9", "--start", "noise"}, {"31x29"}}},
      {"matmul", {{"137x61x45"}, {"3x35x2"}}},
      {"lbm", {case_of("flat"), case_of("cube")}},
      {"pi", {{"30011"}}},
      {"galton", {{"1237x35"}}},
      {"nbody", {{"131", "--steps", "5"}}},
      {"shallow-water", {{"33x47", "--steps", "9"}}},
      {"xray", {{"13x17"}, {"7x10", "--scene", "homogeneous"}}},
      {"magnetic-field", {{"13", "--alpha", "0.7"}}},
      {"lbm-cylinder", {{"21x37", "--steps", "9"}}},
      {"binary-fluid", {{"9x7x5", "--case", "spinodal", "--steps", "3"}}}};
  for (const auto& [workload, of_workload] : cases) {
    const std::string records = folder_ / workload;
    std::size_t runs = 0;
    for (const std::string& line : split(run(workload, {"--list-variants"}).output, '\n')) {
      const std::vector<std::string> columns = split(line, '\t');  // name, precisions, summary, options, kinds
      if (columns.size() < 5) continue;
      const Words method = workload == "pi" ? Words{"--method", columns[4]} : Words{};
      for (const char* device : {"cpu", "gpu"})
        for (const char* precision : {"f32", "f64"})
          for (const Words& words : of_workload) {
            if (!has(columns[1], precision)) continue;
            const Outcome outcome =
                run(workload, Words{"--repeat", "1", "--no-tuned", "--variant", columns[0], "--device", device,
                                    "--precision", precision, "--json", records} +
                                  words + method);
            EXPECT_EQ(outcome.status, 0) << ::testing::PrintToString(words) << outcome.output << outcome.errors;
            ++runs;
          }
    }
    const std::vector<Record> made = records_in(records);
    EXPECT_EQ(made.size(), runs);
    EXPECT_GE(runs, 4 * of_workload.size());
    for (const Record& record : made) EXPECT_EQ(record.check.passed, true) << workload << " " << record.variant;
  }
}

/// All kernels but the first few are: the last ones write what is checked.
TEST_F(Sycl, IsWrongWhereKernelsAreLost) {
  const std::map<std::string, Words> cases = {
      {"stream", {"1003"}},  {"reduce", {"777"}},
      {"scan", {"1003"}},    {"heat", {"9x7", "--start", "noise", "--steps", "5"}},
      {"matmul", {"9x7x5"}}, {"lbm", case_of("flat")},
      {"nbody", {"37"}}};
  for (const auto& [workload, words] : cases)
    for (const char* device : {"cpu", "gpu"})
      for (const char* lost : {"0 9999", "3 9999"}) {
        const Outcome outcome = run(workload, Words{"--no-tuned", "--device", device} + words,
                                    {std::string("BOLTZMARK_TEST_LOSE=") + lost});
        EXPECT_EQ(outcome.status, 1) << workload << " " << device << " " << lost << outcome.output << outcome.errors;
      }
}

TEST_F(Sycl, TellsDevicesOfBackendsApart) {
  for (const auto& [wanted, type] : std::map<std::string, std::string>{
           {"", "gpu"}, {"1", "gpu"}, {"Other", "gpu"}, {"no GPU", "gpu"}, {"0", "cpu"}, {"cpu", "cpu"}}) {
    const Words of_device = wanted.empty() ? Words{} : Words{"--device", wanted};
    const Outcome outcome = run("reduce", Words{"777", "--no-tuned", "--json", folder_ / "records"} + of_device);
    ASSERT_EQ(outcome.status, 0) << outcome.errors;
    const Record record = records_in(folder_ / "records").back();
    EXPECT_EQ(record.device_type, type) << wanted;
    EXPECT_EQ(record.driver, type == "gpu" ? "host_sycl's other 1, SYCL" : "host_sycl 1, SYCL");
  }
}

TEST_F(Sycl, SaysInOneLineWhatIsMissing) {
  const auto expect_one_line = [](const Outcome& outcome, int status, const std::string& part) {
    EXPECT_EQ(outcome.status, status) << outcome.output << outcome.errors;
    EXPECT_EQ(count_of(outcome.errors, "\n"), 1) << outcome.errors;
    EXPECT_TRUE(has(outcome.errors, part)) << outcome.errors;
  };
  expect_one_line(run("reduce", {"777", "--device", "gpu"}, {"BOLTZMARK_TEST_NO_MEMORY=1"}), 3, "cannot allocate");
  expect_one_line(run("reduce", {"777", "--device", "accelerator"}), 3, "no SYCL accelerator");
  expect_one_line(run("reduce", {"777", "--device", "2"}), 2, "a number below 2");
}

}  // namespace
}  // namespace boltzmark::testing
