// Ranks with OpenCL devices: what they exchange, and what they give.
#include <fmt/format.h>

#include "opencl_fixture.hpp"

namespace boltzmark::testing {
namespace {

/// Strips of rows over ranks, each on an OpenCL device; here they share one.
class OpenclRanks : public OpenclTest {
 protected:
  void SetUp() override {
    OpenclTest::SetUp();
    if (!is_built("mpi")) GTEST_SKIP() << "MPI is not built";
  }

  static Outcome run_ranks(int ranks, const Words& words, const char* workload = "lbm") {
    return run_model("mpi", Words{"--local", "opencl", "--quiet"} + words, ranks, workload);
  }

  void expect_no(const Words& options, const Words& parts) {
    const auto outcome = run_model("mpi", options + write_problem(folder_, grid("odd")));
    EXPECT_EQ(outcome.status, 2) << outcome.output << outcome.errors;
    EXPECT_EQ(count_of(outcome.errors, "\n"), 1) << outcome.errors;
    for (const auto& part : parts) EXPECT_TRUE(has(outcome.errors, part)) << part << " in " << outcome.errors;
  }
};

/// One halo row a step or more for several steps, strips of a row, strips too low to have rows inside, a grid
/// of one column; and as many blocks of steps as do and do not divide the run.
TEST_F(OpenclRanks, GiveWhatOneGives) {
  const OneProcess one_process;
  struct Case {
    std::string grid, precision, steps_a_block;
    int ranks;
  };
  for (const Case& c : {Case{"odd", "f32", "1", 2},
                        {"odd", "f64", "3", 3},
                        {"tall", "f32", "4", 3},
                        {"wide", "f32", "1", 2},
                        {"three_rows", "f32", "3", 3},
                        {"one_column", "f32", "2", 3},
                        {"every_edge", "f32", "8", 2}}) {
    SCOPED_TRACE(c.grid + " " + c.precision + " " + c.steps_a_block);
    // One shape of work-groups for all: kernels are built for each, and that takes longer than all else.
    const auto run = [&](int ranks, const std::string& out, const Words& more) {
      return run_ranks(ranks, Words{"--variant", "two-grid", "--work-group", "16x2", "--precision", c.precision,
                                    "--time-block", c.steps_a_block, "--out", (folder_ / out).string()} +
                                  more + write_problem(folder_, grid(c.grid)));
    };
    const std::string json = folder_ / "record";
    std::filesystem::remove(json);
    ASSERT_EQ(run(1, "one", {}).status, 0);
    const auto several = run(c.ranks, "several", {"--check", "oracle", "--json", json});
    ASSERT_EQ(several.status, 0) << several.errors;
    EXPECT_EQ(read_text(folder_ / "several/final_state.dat"), read_text(folder_ / "one/final_state.dat"));
    const auto record = nlohmann::json::parse(read_text(json));
    EXPECT_EQ(record["ranks"], c.ranks);
    EXPECT_EQ(record["settings"]["local"], "opencl");
    EXPECT_EQ(record["settings"]["devices"].size(), static_cast<std::size_t>(c.ranks));
    // Ranks of one row each have nothing to do without halo rows.
    if (c.grid == "three_rows") {
      EXPECT_GT(record["settings"]["halo_seconds"], 0.0);
    }
    EXPECT_GE(record["settings"]["halo_seconds_most"], record["settings"]["halo_seconds"]);
  }
}

/// The same in three dimensions: planes, starts, walls that move in own and in halo planes, slabs of one plane.
TEST_F(OpenclRanks, GiveWhatOneGivesInThreeDimensions) {
  const OneProcess one_process;
  const auto write = [&](const std::string& name, const std::string& numbers, const std::string& solid) {
    write_text(folder_ / (name + ".params"), numbers);
    if (!solid.empty()) write_text(folder_ / (name + ".dat"), solid);
    return Words{folder_ / (name + ".params"), solid.empty() ? "none" : folder_ / (name + ".dat")};
  };
  std::string lid, scattered;
  for (int z = 0; z < 7; ++z)
    for (int x = 0; x < 13; ++x) {
      lid += fmt::format("{} 0 {} 1\n{} 8 {} 1 0.1\n", x, z, x, z);
      scattered += fmt::format("{} {} {} 1\n", x, (3 * x + 2 * z) % 9, z);
    }
  const std::string start = "start shear-wave 0 0 1 0.05 0.02 0\n";
  const std::vector<Words> problems = {write("lid", "13\n9\n7\n11\n10\n0.1\n0\n1.7\n", lid),
                                       write("scattered", "13\n9\n7\n11\n10\n0.1\n0.005\n1.7\n", scattered),
                                       write("wave", "37\n5\n6\n12\n10\n0.1\n0.004\n1.7\n" + start, "")};
  struct Case {
    std::size_t problem;
    std::string precision, steps_a_block;
    int ranks;
  };
  for (const Case& c : {Case{0, "f32", "1", 2},
                        {0, "f64", "2", 3},
                        {1, "f32", "1", 3},
                        {1, "f32", "3", 2},
                        {2, "f64", "1", 2},
                        {2, "f32", "2", 3},
                        {1, "f32", "1", 7}}) {
    SCOPED_TRACE(problems[c.problem][0] + ' ' + c.precision + ' ' + c.steps_a_block);
    const auto run = [&](int ranks, const std::string& out, const Words& more) {
      return run_ranks(ranks, Words{"--work-group", "16x2", "--precision", c.precision, "--time-block", c.steps_a_block,
                                    "--out", (folder_ / out).string()} +
                                  more + problems[c.problem]);
    };
    ASSERT_EQ(run(1, "one", {}).status, 0);
    const auto several = run(c.ranks, "several", {"--check", "oracle"});
    ASSERT_EQ(several.status, 0) << several.errors;
    EXPECT_EQ(read_text(folder_ / "several/final_state.dat"), read_text(folder_ / "one/final_state.dat"));
  }
  const auto outcome = run_ranks(1, Words{"--variant", "time-block"} + problems[0]);
  EXPECT_EQ(outcome.status, 2) << outcome.output;
  EXPECT_TRUE(has(outcome.errors, "D3Q19")) << outcome.errors;
}

/// Parts of an array, each on a device: numbers and words, exact in whatever order; values that depend on where they
/// are, parts of different lengths.
TEST_F(OpenclRanks, HavePartsOfArrays) {
  const OneProcess one_process;
  const std::string json = folder_ / "records";
  std::size_t runs = 0;
  const auto expect_right = [&](int ranks, const char* workload, const Words& words) {
    const auto outcome = run_ranks(ranks, words + Words{"--repeat", "1", "--json", json}, workload);
    ASSERT_EQ(outcome.status, 0) << workload << ::testing::PrintToString(words) << outcome.output << outcome.errors;
    const auto records = records_in(json);
    ASSERT_EQ(records.size(), ++runs);
    EXPECT_EQ(records.back().check.passed, true);
    EXPECT_EQ(records.back().ranks, ranks);
    EXPECT_EQ(records.back().model, "mpi");
    EXPECT_EQ(nlohmann::json(records.back())["settings"]["devices"].size(), static_cast<std::size_t>(ranks));
  };
  expect_right(1, "stream", {"1003"});
  expect_right(2, "stream", {"40000", "--precision", "f64"});
  expect_right(3, "stream", {"1003"});
  expect_right(1, "reduce", {"10007"});
  expect_right(3, "reduce", {"10007", "--values", "ramp"});
  for (const char* op : {"sum", "product", "min", "max", "and", "or", "xor"})
    expect_right(3, "reduce", {"10007", "--operator", op});
  expect_right(2, "reduce", {"10007", "--operator", "xor", "--precision", "f64"});
  // Strips with halos: of one row and of all rows, more steps than a halo has rows, one and several a launch.
  const Words plate = {"37x29", "--start", "noise", "--steps", "23"};
  expect_right(1, "heat", plate);
  expect_right(2, "heat", plate + Words{"--halo-rows", "1"});
  expect_right(3, "heat", plate + Words{"--variant", "strip", "--vvl", "2", "--rows", "3", "--halo-rows", "5"});
  expect_right(3, "heat", plate + Words{"--time-block", "3", "--halo-rows", "64", "--precision", "f64"});
  // Several panels, of parts of different sizes, on grids of 1 x 1, 2 x 1 and 2 x 2 ranks.
  expect_right(1, "matmul", {"37x29x1100"});
  expect_right(2, "matmul", {"37x29x1100", "--variant", "blocked", "--precision", "f64"});
  expect_right(4, "matmul", {"67x65x1300", "--work-group", "8x8"});
}

/// A rank that is alone has no halo rows, unless it is told how many.
TEST_F(OpenclRanks, ExchangeNothingWhenAlone) {
  const OneProcess one_process;
  const auto halo_rows = [&](const Words& more) {
    const std::string json = folder_ / "record";
    std::filesystem::remove(json);
    const auto outcome = run_ranks(
        1, Words{"--variant", "two-grid", "--work-group", "16x2", "--check", "oracle", "--no-output", "--json", json} +
               more + write_problem(folder_, grid("odd")));
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    return nlohmann::json::parse(read_text(json))["settings"]["halo_rows"].get<int>();
  };
  EXPECT_EQ(halo_rows({}), 0);
  EXPECT_EQ(halo_rows({"--time-block", "2"}), 2);
}

/// Where the devices have no kernel for it, that is said.
TEST_F(OpenclRanks, DoSeveralStepsALaunchOrSayWhyNot) {
  const auto outcome = run_ranks(
      2, Words{"--variant", "time-block", "--check", "oracle", "--no-output"} + write_problem(folder_, grid("odd")));
  if (outcome.status == 0) return;
  EXPECT_EQ(outcome.status, 3) << outcome.output << outcome.errors;
  EXPECT_TRUE(has(outcome.errors, "needs the warps of an NVIDIA device")) << outcome.errors;
}

TEST_F(OpenclRanks, RefuseWhatIsNotForThem) {
  const OneProcess one_process;
  for (const Words& other :
       {Words{"--threads", "2"}, {"--vvl", "4"}, {"--halo", "sendrecv"}, {"--halo", "ipc"}, {"--halo", "nccl"}})
    expect_no(Words{"--local", "opencl"} + other, {other[0]});
  expect_no({"--local", "opencl", "--variant", "fused"}, {"two-grid", "\"fused\""});
  expect_no({"--local", "opencl", "--device", "no such device"}, {"--device", "no such device"});
  expect_no({"--variant", "two-grid"}, {"wavefront", "\"two-grid\""});
  expect_no({"--device", "0"}, {"--device"});
  const auto outcome = run_ranks(3, {"2"}, "stream");
  EXPECT_EQ(outcome.status, 2) << outcome.output << outcome.errors;
  EXPECT_TRUE(has(outcome.errors, "expected an element for each of 3 ranks, found 2\n")) << outcome.errors;
  expect_no({"--local", "abacus"}, {"--local", "cpu, opencl", "\"abacus\""});
  for (const auto& [workload, words] :
       {std::pair("heat", Words{"9", "--halo", "ipc"}), {"matmul", {"9", "--panels", "nccl"}}}) {
    const auto refused = run_ranks(2, words, workload);
    EXPECT_EQ(refused.status, 2) << refused.output << refused.errors;
    EXPECT_TRUE(has(refused.errors, words[1] + ": expected one of host, found \"" + words[2] + "\"\n"))
        << refused.errors;
  }
}

}  // namespace
}  // namespace boltzmark::testing
