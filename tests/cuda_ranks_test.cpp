// Tier: all (as cuda_test.cpp)
// Ranks with CUDA devices that are none (fake_cuda.cpp), whose kernels the host runs (host_cuda/nvrtc): halo rows by
// NCCL (fake_nccl.cpp), into memory of the neighbour and through the host; arrays in parts. Commands of the fake driver
// run as late as they may, or those of transfers at once, so a missing wait shows in the results.
#include "tests/fake_cuda.hpp"

#include <fmt/format.h>

namespace boltzmark::testing {
namespace {

class FakeCudaRanks : public FakeCuda {
 protected:
  void SetUp() override {
    if (!is_built("mpi")) GTEST_SKIP() << "MPI is not built";
  }
  void install_nccl(const std::string& library = BOLTZMARK_FAKE_NCCL) {
    for (const char* name : {"libnccl.so.2", "libnccl.so"}) {
      fs::remove(folder_ / name);
      fs::create_symlink(library, folder_ / name);
    }
  }

  Outcome run_ranks(int ranks, const Words& words, const Words& environment = {}, const char* workload = "lbm") const {
    const std::string here = folder_.path.string();
    return run_model("mpi", Words{"--local", "cuda", "--quiet", "--no-tuned"} + words, ranks, workload,
                     Words{"env", "LD_LIBRARY_PATH=" + here, "XDG_CACHE_HOME=" + here, "BOLTZMARK_TEST_DEVICES=4",
                           "BOLTZMARK_TEST_NVRTC=" BOLTZMARK_HOST_NVRTC} +
                         environment);
  }
  /// Of lattice Boltzmann without the shuffles of warps, which the host has not.
  Outcome run_flow(int ranks, const Words& words, const Words& environment = {}) const {
    return run_ranks(
        ranks,
        Words{"--variant", "two-grid", "--reduction", "halves", "--work-group", "16x2", "--check", "oracle"} + words,
        environment);
  }
  void expect_refused(const Outcome& outcome, const std::string& begin, int status = 3) const {
    EXPECT_EQ(outcome.status, status) << outcome.output << outcome.errors;
    EXPECT_EQ(count_of(outcome.errors, "\n"), 1) << outcome.errors;
    EXPECT_TRUE(has(outcome.errors, "error: " + begin)) << outcome.errors;
  }
};

/// Ranks that are their own neighbours, have the same one on both sides, or two; one halo row or several; a row each;
/// rows inside and none. A few blocks of steps, the last one shorter: ranks that wait spin.
TEST_F(FakeCudaRanks, GiveTheSameWhateverWayHaloRowsTravel) {
  const OneProcess one_process;
  install_nccl();
  struct Way {
    std::string halo;
    bool hurries;
  };
  const std::vector<Way> ways = {{"nccl", false}, {"nccl", true}, {"ipc", false}, {"ipc", true}, {"host", false}};
  // Rows of the last direction go over the end of a cell row's memory.
  write_text(folder_ / "cube.params", "41\n9\n7\n11\n10\n0.1\n0.005\n1.7\n");
  const Words cube = {folder_ / "cube.params", "none"};
  const auto flat = [&](const char* name) { return write_problem(folder_, grid(name)); };
  struct Case {
    Words problem;
    std::string precision, steps_a_block;
    int ranks;
  };
  for (const Case& c : {Case{flat("odd"), "f32", "1", 2},
                        {flat("odd"), "f32", "4", 3},
                        {flat("odd"), "f64", "3", 2},
                        {flat("every_edge"), "f32", "2", 1},
                        {flat("three_rows"), "f32", "1", 3},
                        {cube, "f32", "1", 3},
                        {cube, "f32", "2", 2}}) {
    SCOPED_TRACE(fmt::format("{} {} {} {}", c.problem[0], c.precision, c.steps_a_block, c.ranks));
    for (const auto& [halo, hurries] : ways) {
      const Outcome outcome = run_flow(
          c.ranks,
          Words{"--steps", "13", "--repeat", "2", "--precision", c.precision, "--time-block", c.steps_a_block, "--halo",
                halo, "--out", folder_ / (halo + (hurries ? "-1" : "")), "--json", folder_ / "records"} +
              c.problem,
          hurries ? Words{"BOLTZMARK_TEST_HURRY=1"} : Words{});
      ASSERT_EQ(outcome.status, 0) << halo << hurries << outcome.output << outcome.errors;
    }
    for (const char* const other : {"nccl", "nccl-1", "ipc", "ipc-1"})
      for (const char* const file : {"final_state.dat", "av_vels.dat"})
        EXPECT_EQ(read_text(folder_ / other / file), read_text(folder_ / "host" / file)) << other << file;
  }
  std::size_t number = 0;
  for (const Record& record : records_in(folder_ / "records")) {
    const std::string& halo = ways[number++ % ways.size()].halo;
    EXPECT_EQ(record.check.passed, true);
    EXPECT_EQ(record.settings.at("halo"), halo);
    EXPECT_EQ(has(record.driver, "NCCL 2.27.3"), halo == "nccl") << record.driver;
  }
}

/// The first group of messages is a trial; those after it are a run's.
TEST_F(FakeCudaRanks, AreWrongWhereAnExchangeIsLost) {
  install_nccl();
  const Words words = Words{"--no-output", "--halo", "nccl", "--time-block", "1"} + write_problem(folder_, grid("odd"));
  expect_refused(run_flow(2, words, {"BOLTZMARK_TEST_LOSE_GROUP=0"}), "--halo nccl: data that rank ");
  for (const char* group : {"1", "7"}) {
    const Outcome outcome = run_flow(2, words, {fmt::format("BOLTZMARK_TEST_LOSE_GROUP={}", group)});
    EXPECT_EQ(outcome.status, 1) << group << outcome.output << outcome.errors;
  }
  const Words heat = {"37x29", "--start",  "noise", "--steps", "23",  "--time-block",
                      "2",     "--repeat", "1",     "--halo",  "nccl"};
  const Words matmul = {"37x29x1700", "--variant", "blocked", "--repeat", "1", "--panels", "nccl"};
  expect_refused(run_ranks(2, heat, {"BOLTZMARK_TEST_LOSE_GROUP=0"}, "heat"), "--halo nccl: data that rank ");
  expect_refused(run_ranks(2, matmul, {"BOLTZMARK_TEST_LOSE_GROUP=0"}, "matmul"), "--panels nccl: data broadcast ");
  for (const auto& [workload, own] : {std::pair("heat", heat), {"matmul", matmul}})
    for (const char* group : {"1", "3"}) {
      const Outcome outcome = run_ranks(2, own, {fmt::format("BOLTZMARK_TEST_LOSE_GROUP={}", group)}, workload);
      EXPECT_EQ(outcome.status, 1) << workload << group << outcome.output << outcome.errors;
    }
}

TEST_F(FakeCudaRanks, SayInOneLineWhyThereIsNoNccl) {
  const Words words = Words{"--no-output", "--halo", "nccl"} + write_problem(folder_, grid("one_step"));
  write_text(folder_ / "none", "");
  install_nccl("none");
  const bool has_toolkit = fs::exists("/usr/local/cuda/lib64/libnccl.so.2");  // which then is found, without a device
  expect_refused(run_flow(2, words),
                 has_toolkit ? "--halo nccl: " : "--halo nccl: expected the library libnccl.so.2, found none");
  install_nccl(BOLTZMARK_FAKE_CUDA);
  expect_refused(run_flow(2, words), "--halo nccl: the installed library has no ncclGetVersion");
  install_nccl();
  expect_refused(run_flow(2, words, {"BOLTZMARK_TEST_NO_NCCL=1"}),
                 "--halo nccl: a fault of the test from ncclCommInitRank");
  expect_refused(run_flow(3, words, {"BOLTZMARK_TEST_DEVICES=2"}),
                 "--halo nccl: expected a device for each rank, found rank 2 on one that another has, a fake GPU");
  expect_refused(
      run_ranks(2, {"37x29x1700", "--variant", "blocked", "--panels", "nccl"}, {"BOLTZMARK_TEST_NO_NCCL=1"}, "matmul"),
      "--panels nccl: a fault of the test from ncclCommInitRank");
}

/// Strips with neighbours above, below and on both sides; one step a launch and several, one launch between two
/// exchanges and several; rows inside and none; a run in blocks between which deltas are looked at.
TEST_F(FakeCudaRanks, GiveTheSameHeatWhateverWayHaloRowsTravel) {
  const OneProcess one_process;
  install_nccl();
  const Words plate = {"37x29", "--start", "noise", "--steps", "23"};
  struct Way {
    std::string halo;
    Words environment;
  };
  const Words hurry = {"BOLTZMARK_TEST_HURRY=1"};
  const std::vector<Way> ways = {{"nccl", {}}, {"nccl", hurry}, {"ipc", {}}, {"ipc", hurry}, {"host", {}}};
  struct Case {
    Words words;
    int ranks, halo_rows;
  };
  for (const Case& c : {Case{plate + Words{"--time-block", "2"}, 2, 2},
                        {plate + Words{"--time-block", "3", "--halo-rows", "7", "--precision", "f64"}, 3, 6},
                        {plate + Words{"--time-block", "4", "--halo-rows", "64"}, 3, 8},
                        {{"41x7", "--steps", "9", "--time-block", "8"}, 3, 2},
                        {{"37x29", "--steps", "40", "--until", "1e-3", "--time-block", "2", "--delay", "7"}, 2, 2},
                        {plate + Words{"--variant", "strip", "--halo-rows", "1", "--delay", "4"}, 3, 1},
                        {plate + Words{"--variant", "strip", "--halo-rows", "3", "--vvl", "2", "--rows", "3"}, 2, 3}})
    for (const auto& [halo, environment] : ways) {
      SCOPED_TRACE(fmt::format("{} {} ranks {}", ::testing::PrintToString(c.words), c.ranks, halo));
      fs::remove(folder_ / "record");
      // The host way has deeper halos by default, where these follow from a launch.
      const Words rows = halo == "host" && c.halo_rows == 2 ? Words{"--halo-rows", "2"} : Words{};
      const Outcome outcome =
          run_ranks(c.ranks, c.words + rows + Words{"--repeat", "2", "--halo", halo, "--json", folder_ / "record"},
                    environment, "heat");
      ASSERT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
      const Record record = records_in(folder_ / "record").back();
      EXPECT_EQ(record.check.passed, true);
      EXPECT_EQ(record.settings.at("halo"), halo);
      EXPECT_EQ(record.settings.at("halo_rows"), c.halo_rows);
      EXPECT_EQ(has(record.driver, "NCCL 2.27.3"), halo == "nccl") << record.driver;
    }
  // By default from device to device, where each rank has one; no halo without a neighbour.
  const auto halo_of = [&](int ranks, const Words& environment) {
    fs::remove(folder_ / "record");
    const char* const steps = ranks == 3 ? "4" : "2";  // kernels of the cases above
    const Words words = plate + Words{"--time-block", steps, "--repeat", "1", "--json", folder_ / "record"};
    const Outcome outcome = run_ranks(ranks, words, environment, "heat");
    EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
    return records_in(folder_ / "record").back().settings.value("halo", "none");
  };
  EXPECT_EQ(halo_of(2, {}), "ipc");
  EXPECT_EQ(halo_of(3, {"BOLTZMARK_TEST_DEVICES=2"}), "host");
  EXPECT_EQ(halo_of(1, {}), "none");
}

/// On grids of 2 x 1, 3 x 1 and 2 x 2 ranks, several panels, the last of each part shorter.
TEST_F(FakeCudaRanks, GiveTheSameProductWhateverWayPanelsTravel) {
  const OneProcess one_process;
  install_nccl();
  struct Way {
    std::string panels;
    Words environment;
  };
  for (const auto& [panels, environment] : {Way{"nccl", {}}, Way{"nccl", {"BOLTZMARK_TEST_HURRY=1"}}, Way{"host", {}}})
    for (const int ranks : {2, 3, 4})
      for (const Words& more : {Words{"37x29x2300"}, {"41x33x1700", "--precision", "f64"}}) {
        SCOPED_TRACE(fmt::format("{} {} ranks {}", panels, ranks, more[0]));
        fs::remove(folder_ / "record");
        const Outcome outcome = run_ranks(
            ranks,
            more + Words{"--variant", "blocked", "--repeat", "2", "--panels", panels, "--json", folder_ / "record"},
            environment, "matmul");
        ASSERT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
        const Record record = records_in(folder_ / "record").back();
        EXPECT_EQ(record.check.passed, true);
        EXPECT_EQ(record.settings.at("panels"), panels);
        EXPECT_EQ(has(record.driver, "NCCL 2.27.3"), panels == "nccl") << record.driver;
      }
  // By default by NCCL where that works on all ranks.
  const auto panels_of = [&](int ranks, const Words& environment) {
    fs::remove(folder_ / "record");
    const Outcome outcome =
        run_ranks(ranks, {"37x29x1700", "--variant", "blocked", "--repeat", "1", "--json", folder_ / "record"},
                  environment, "matmul");
    EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
    return records_in(folder_ / "record").back().settings.at("panels");
  };
  EXPECT_EQ(panels_of(2, {}), "nccl");
  EXPECT_EQ(panels_of(2, {"BOLTZMARK_TEST_NO_NCCL=1"}), "host");
  EXPECT_EQ(panels_of(3, {"BOLTZMARK_TEST_DEVICES=2"}), "host");
  EXPECT_EQ(panels_of(1, {}), "none");
}

/// Each rank has a part of the arrays: a dot product over all of them, and values that depend on where they are.
TEST_F(FakeCudaRanks, HavePartsOfArrays) {
  const OneProcess one_process;
  for (const Words& more : {Words{}, {"--precision", "f64"}})
    for (const auto& [workload, words] : {std::pair("stream", Words{"1003"}),
                                          {"reduce", {"1003", "--variant", "eight-values"}},
                                          {"matmul", {"37x29x1700", "--variant", "blocked"}}}) {
      const Outcome outcome = run_ranks(2, words + Words{"--repeat", "1"} + more, {}, workload);
      EXPECT_EQ(outcome.status, 0) << workload << outcome.output << outcome.errors;
    }
}

}  // namespace
}  // namespace boltzmark::testing
