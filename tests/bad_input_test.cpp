// Bad input: one line on standard error that names the place, what was expected and what was found; exit
// status 2; nothing written. Every model reads its command line and files through the same code; serial
// stands for all where none differs.
#include <gtest/gtest.h>

#include <sys/sysinfo.h>

#include <algorithm>
#include <cstdint>

#include "programs.hpp"

namespace boltzmark::testing {
namespace {

const std::string good_params = "8\n9\n10\n10\n0.1\n0.005\n1.85\n";
const std::string good_obstacles = "0 0 1\n";

class BadInput : public ::testing::Test {
 protected:
  void SetUp() override {
    write_text(params_, good_params);
    write_text(obstacles_, good_obstacles);
  }

  /// The run must fail with one line that has all of `parts` in it, and must leave the folder as it was.
  void expect_refused(const std::string& model, const Words& arguments, const Words& parts, int status = 2,
                      int ranks = 0) {
    const auto before = files();
    const auto outcome = run_model(model, arguments, ranks);
    EXPECT_EQ(outcome.status, status) << outcome.output << outcome.errors;
    EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1) << outcome.errors;
    EXPECT_EQ(outcome.output, "");
    for (const auto& part : parts)
      EXPECT_NE(outcome.errors.find(part), std::string::npos) << part << " in " << outcome.errors;
    EXPECT_EQ(files(), before);
  }
  void expect_refused(const Words& options, const Words& parts, int status = 2) {
    expect_refused("serial", Words{"--out", folder_.path.string()} + options + problem(), parts, status);
  }
  void expect_params_refused(const std::string& text, const Words& parts) {
    SCOPED_TRACE(text);
    write_text(params_, text);
    expect_refused({}, parts + Words{params_.string(), "expected", "found"});
  }
  void expect_obstacles_refused(const std::string& text, const Words& parts) {
    SCOPED_TRACE(text);
    write_text(obstacles_, text);
    expect_refused({}, parts + Words{obstacles_.string(), "expected", "found"});
  }

  Words problem() const { return {params_.string(), obstacles_.string()}; }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.path)) names.push_back(entry.path());
    std::sort(names.begin(), names.end());
    return names;
  }

  TemporaryFolder folder_;
  const std::filesystem::path params_ = folder_ / "input.params", obstacles_ = folder_ / "obstacles.dat";
};

TEST_F(BadInput, FilesThatCannotBeRead) {
  expect_refused("serial", {folder_ / "absent", obstacles_}, {"absent", "no such file"});
  expect_refused("serial", {params_, folder_ / "absent"}, {"absent", "no such file"});
  expect_refused("serial", {folder_.path, obstacles_}, {"a folder"});
}

TEST_F(BadInput, NamesReachTheTerminalAsOneLineOfText) {
  expect_refused("serial", {folder_ / "a\nb\x1b[31m\r.params", obstacles_}, {"a?b?[31m?.params", "no such file"});
  expect_refused("serial", {folder_ / "x\xff", obstacles_}, {"no such file"});
}

TEST_F(BadInput, NumberOfParameters) {
  expect_params_refused("", {":1:", "nx", "an empty file"});
  expect_params_refused("\n \n", {"an empty file"});
  expect_params_refused("8\n9\n10\n10\n0.1\n0.005\n", {":7:", "omega", "the end of the file"});
  expect_params_refused(good_params + "here\n", {":8:", "seven numbers", "\"here\""});
  expect_params_refused(good_params + "7\n", {":5:", "reynolds_dim"});  // eight: nz is the third
  expect_params_refused("8\n9\n1\n10\n10\n0.1\n0.005\n1.85\n7\n", {":9:", "eight numbers", "\"7\""});
  // The first line at fault, not a later one that follows from it.
  expect_params_refused("# nx\n" + good_params, {":1:", "nx", "\"# nx\""});
  expect_params_refused("8 9 10 10 0.1 0.005 1.85\n", {":1:", "nx", "\"8 9 10"});
}

TEST_F(BadInput, ValuesOfParameters) {
  const auto with = [](int line, const std::string& value) {
    std::vector<std::string> values = {"8", "9", "10", "10", "0.1", "0.005", "1.85"};
    values[static_cast<std::size_t>(line - 1)] = value;
    std::string text;
    for (const auto& v : values) text += v + "\n";
    return text;
  };
  const Words names = {"nx", "ny", "iterations", "reynolds_dim", "density", "accel", "omega"};
  for (int line = 1; line <= 7; ++line) {
    const Words where = {":" + std::to_string(line) + ":", names[static_cast<std::size_t>(line - 1)]};
    for (const char* value :
         {"eight", "0", "-1", "8x", "1 2", "nan", "inf", "9999999999999999999999999999999999999999", "1e999", "1e-60"})
      expect_params_refused(with(line, value), where + Words{"\"" + std::string(value) + "\""});
  }
  expect_params_refused(with(1, "8.5"), {":1:", "integer"});
  expect_params_refused(with(2, "2"), {":2:", "3 to"});
  expect_params_refused(with(7, "2"), {":7:", "below 2"});
  expect_params_refused(with(7, "2.5"), {":7:", "below 2"});
}

TEST_F(BadInput, GridTooLargeForMemory) {
  write_text(params_, "2000000000\n2000000000\n10\n10\n0.1\n0.005\n1.85\n");
  expect_refused({}, {params_.string() + ":1: expected", "GB", "found 2000000000 x 2000000000"}, 3);
  struct sysinfo machine {};  // whatever it has: a grid takes 36 bytes per cell, and twice the memory is asked for
  ASSERT_EQ(sysinfo(&machine), 0);
  const double bytes = static_cast<double>(machine.totalram) * machine.mem_unit;
  const auto ny = static_cast<std::int64_t>(2.0 * bytes / 36e6) + 1;
  write_text(params_, "1000000\n" + std::to_string(ny) + "\n10\n10\n0.1\n0.005\n1.85\n");
  expect_refused({}, {"GB"}, 3);
}

TEST_F(BadInput, Obstacles) {
  expect_obstacles_refused("", {":1:", "an empty file", "none"});
  expect_obstacles_refused("0 0 1\n8 0 1\n", {":2:", "x from 0 to 7", "\"8\""});
  expect_obstacles_refused("0 9 1\n", {":1:", "y from 0 to 8", "\"9\""});
  expect_obstacles_refused("-1 0 1\n", {":1:", "\"-1\""});
  expect_obstacles_refused("0 0 1\n\n1 1 0\n", {":3:", "1 in the third column", "\"0\""});
  expect_obstacles_refused("0 0 2\n", {"third column"});
  expect_obstacles_refused("0 0\n", {":1:", "three numbers", "\"0 0\""});
  expect_obstacles_refused("0 0 1 1\n", {":1:", "three numbers"});
  expect_obstacles_refused("a b 1\n", {":1:", "\"a\""});
  expect_obstacles_refused("99999999999999 0 1\n", {":1:", "x from 0 to 7"});
  std::string all;
  for (int y = 0; y < 9; ++y)
    for (int x = 0; x < 8; ++x) all += std::to_string(x) + " " + std::to_string(y) + " 1\n";
  expect_obstacles_refused(all, {"at least one cell", "all 72"});
}

TEST_F(BadInput, CommandLine) {
  expect_refused({"--variant", "fastest"}, {"--variant", "fused", "\"fastest\""});
  expect_refused({"--no-such-option"}, {"--no-such-option"});
  expect_refused({"--threads", "2"}, {"--threads: not an option of lbm-serial; see --help"});
  expect_refused({"--steps", "0"}, {"--steps"});
  expect_refused({"--steps", "many"}, {"--steps"});
  expect_refused({"--repeat", "-3"}, {"--repeat"});
  expect_refused({"--precision", "f128"}, {"f128"});
  expect_refused("serial", {params_.string()}, {"PARAMS and OBSTACLES"});
  expect_refused("serial", {}, {"PARAMS and OBSTACLES"});
  expect_refused({"--check", (folder_ / "nothing").string()}, {"nothing.av_vels.dat"});
  expect_refused({"--tuned", (folder_ / "nothing").string()}, {"--tuned: expected a file", "nothing"});
  expect_refused({"--check", ""}, {"--check: expected a value, found an empty one"});
}

TEST_F(BadInput, OptionsThatAModelDoesNotHave) {
  expect_refused({"--threads", "2"}, {"--threads"});
  expect_refused({"--device", "gpu"}, {"--device"});
  expect_refused({"--work-group", "8x8"}, {"--work-group"});
  if (is_built("openmp")) {
    expect_refused("openmp", Words{"--device", "0"} + problem(), {"--device"});
    expect_refused("openmp", Words{"--threads", "0"} + problem(), {"--threads"});
  }
}

TEST_F(BadInput, VectorLengthsAndTimeBlocks) {
  const Words wavefront = {"--variant", "wavefront"};
  expect_refused(wavefront + Words{"--vvl", "3"}, {"--vvl", "expected one of", "4 (", "found 3"});
  expect_refused(wavefront + Words{"--vvl", "0"}, {"--vvl"});
  expect_refused(wavefront + Words{"--time-block", "0"}, {"--time-block"});
  expect_refused({"--variant", "in-place", "--time-block", "4"}, {"--time-block", "in-place"});
  expect_refused({"--variant", "fused", "--vvl", "4"}, {"--vvl", "fused"});
  if (is_built("mpi"))
    expect_refused("mpi", Words{"--variant", "wavefront", "--time-block", "3"} + problem(),
                   {"--time-block", "from 2 to 65536 in steps of 2", "found \"3\""});
}

TEST_F(BadInput, Devices) {
  for (const char* model : {"opencl", "openmp_target"}) {
    if (!is_built(model) || !cannot_run_here(model).empty()) continue;
    SCOPED_TRACE(model);
    expect_refused(model, Words{"--device", "abacus", "--out", folder_.path.string()} + problem(),
                   {"abacus", "--list-devices"});
    expect_refused(model, Words{"--device", "99", "--out", folder_.path.string()} + problem(), {"99"});
  }
}

/// Pages move between a GPU and the host; regions that map arrays have them where the runtime puts them.
TEST_F(BadInput, ManagedMemory) {
  if (!is_built("openmp_target") || !cannot_run_here("openmp_target").empty()) GTEST_SKIP() << "no offload device here";
  const Words managed = {"--memory", "managed"};
  expect_refused("openmp_target", managed + Words{"--variant", "fused", "--device", "cpu"} + problem(),
                 {"--memory managed", "expected a GPU"}, 3);
  expect_refused("openmp_target", managed + Words{"--variant", "textbook"} + problem(), {"--memory", "textbook"});
}

TEST_F(BadInput, WorkGroups) {
  if (!is_built("opencl") || !cannot_run_here("opencl").empty()) GTEST_SKIP() << "no OpenCL device here";
  for (const char* shape : {"8", "x", "0x4", "4x-1", "8x8x8", "ax4"})
    expect_refused("opencl", Words{"--work-group", shape} + problem(), {"--work-group", shape});
  expect_refused("opencl", Words{"--work-group", "100000x100000", "--out", folder_.path.string()} + problem(),
                 {"100000x100000"}, 3);
}

TEST_F(BadInput, MoreRanksThanRows) {
  if (!is_built("mpi")) GTEST_SKIP() << "MPI is not built";
  write_text(params_, "8\n3\n10\n10\n0.1\n0.005\n1.85\n");
  expect_refused("mpi", Words{"--out", folder_.path.string()} + problem(), {"4 ranks", "3 rows"}, 2, 4);
}

TEST_F(BadInput, HaloMethods) {
  expect_refused({"--halo", "sendrecv"}, {"--halo"});  // a model without ranks has no such option
  if (!is_built("mpi")) GTEST_SKIP() << "MPI is not built";
  for (const std::string variant : {"textbook", "shared"})
    expect_refused("mpi", Words{"--variant", variant, "--halo", "rma"} + problem(),
                   {"--halo: variant " + variant + " does not take it; these do: fused, in-place, wavefront"});
  expect_refused("mpi", Words{"--variant", "fused", "--halo", "pigeon"} + problem(),
                 {"--halo", "persistent, sendrecv, rma", "pigeon"});
}

TEST_F(BadInput, RanksGrids) {
  expect_refused({"--ranks-grid", "1x1"}, {"--ranks-grid"});  // a model without ranks has no such option
  if (!is_built("mpi")) GTEST_SKIP() << "MPI is not built";
  const auto refused = [&](const std::string& shape, const Words& parts, int ranks) {
    SCOPED_TRACE(shape);
    expect_refused("mpi", Words{"--ranks-grid", shape, "--no-output"} + problem(),
                   parts + Words{"--ranks-grid", '"' + shape + '"'}, 2, ranks);
  };
  for (const char* shape : {"2", "x", "2x", "2x1x1", "0x2", "-1x-2", "2,1", " 2x1", "2x1 ", "axb", "99999999999x1"})
    refused(shape, {"expected AxB,"}, 2);
  for (const char* shape : {"1x1", "2x2", "2147483647x2147483647"}) refused(shape, {"product of 2"}, 2);
  refused("9x1", {"at most 8 ranks along x"}, 9);
  refused("1x10", {"at most 9 ranks along y"}, 10);
  expect_refused("mpi", Words{"--variant", "wavefront", "--ranks-grid", "2x1"} + problem(),
                 {"--ranks-grid: variant wavefront does not take it; these do: fused, in-place"}, 2, 2);
  write_text(params_, "8\n9\n3\n10\n10\n0.1\n0.005\n1.85\n");
  write_text(obstacles_, "0 0 0 1\n");
  refused("1x2", {"expected AxBxC,"}, 2);
  refused("1x1x4", {"at most 3 ranks along z"}, 4);
}

TEST_F(BadInput, OneLineFromManyRanks) {
  if (!is_built("mpi")) GTEST_SKIP() << "MPI is not built";
  write_text(params_, "eight" + good_params.substr(1));
  expect_refused("mpi", problem(), {":1:", "nx"}, 2, 3);
  expect_refused("mpi", Words{"--bogus"} + problem(), {"--bogus"}, 2, 3);
}

TEST_F(BadInput, OutputFolderThatCannotBe) {
  expect_refused("serial", Words{"--out", params_.string()} + problem(), {params_.string(), "folder"});
  expect_refused("serial", Words{"--out", "/proc/boltzmark"} + problem(), {"/proc/boltzmark"});
  expect_refused("serial", Words{"--no-output", "--json", (folder_ / "no/such/folder.jsonl").string()} + problem(),
                 {"no/such/folder.jsonl"});
  // Said before the run, not after it: this one would take too long for the test.
  const Words long_run = {"--no-output", "--steps", "100000000"};
  expect_refused("serial", long_run + Words{"--image", folder_.path.string()} + problem(),
                 {"expected a file to write to, found a folder"});
}

}  // namespace
}  // namespace boltzmark::testing
