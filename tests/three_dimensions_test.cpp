// Every variant that can run D3Q19 against its oracle, on small odd grids; the others say in one line that they
// cannot. The list is asked of the programs.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "tests/programs.hpp"

namespace boltzmark::testing {
namespace {

/// Parameters and obstacles as a user writes them; returns the words of the command line.
Words write_case(const TemporaryFolder& folder, const std::string& name, std::array<int, 3> cells,
                 const std::string& accel, const std::string& start,
                 const std::function<std::string(int x, int y, int z)>& obstacle) {
  const auto& [nx, ny, nz] = cells;
  std::string solid;
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x)
        if (const std::string kind = obstacle(x, y, z); !kind.empty())
          solid += fmt::format("{} {} {} {}\n", x, y, z, kind);
  write_text(folder / (name + ".params"),
             fmt::format("{}\n{}\n{}\n23\n10\n0.1\n{}\n1.7\n{}\n", nx, ny, nz, accel, start));
  if (!solid.empty()) write_text(folder / (name + ".dat"), solid);
  return {folder / (name + ".params"), solid.empty() ? "none" : folder / (name + ".dat")};
}

/// Odd, tall and flat grids; obstacles on every face; walls that move; every start; a problem in two dimensions
/// repeated; fewer rows or planes than threads.
std::vector<Words> cases_in(const TemporaryFolder& folder) {
  const auto none = [](int, int, int) { return ""; };
  const auto scattered = [](int x, int y, int z) { return (7 * x + 5 * y + 3 * z) % 19 == 0 ? "1" : ""; };
  const auto box = [](int nx, int ny, int nz) {
    return [=](int x, int y, int z) {
      const bool side = x == 0 || y == 0 || z == 0 || x == nx - 1 || z == nz - 1;
      return y == ny - 1 && !side ? "1 0.1" : side || y == ny - 1 ? "1" : "";
    };
  };
  return {write_case(folder, "scattered", {17, 11, 7}, "0.005", "", scattered),
          write_case(folder, "cavity", {21, 9, 6}, "0", "", box(21, 9, 6)),
          write_case(folder, "vortices", {64, 9, 2}, "0.005", "start taylor-green 0.05", none),
          write_case(folder, "column", {1, 5, 13}, "0.004", "start shear-wave 0 0 2 0.05 0.02 0", none),
          write_case(folder, "line", {37, 1, 1}, "0", "start shear-wave 1 0 0 0 0.05 -0.02", none),
          write_case(folder, "slab", {5, 3, 1}, "0.01", "", scattered),
          Words{"--depth", "3"} + write_problem(folder, grid("odd"))};
}

bool is_one_of(const std::string& word, const Words& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// One way of running a variant: options, and ranks where a launcher starts the program.
struct Way {
  Words options;
  int ranks = 0;
};

/// Threads, ranks, and both; more of them than some cases have rows or planes.
std::vector<Way> ways_of(const BuiltProgram& program, const ProgramDescription& can,
                         const VariantDescription& variant) {
  const bool has_threads = program.launcher ? variant.option("threads") != nullptr : is_one_of("threads", can.takes);
  std::vector<Way> ways;
  for (const int workers : {1, 2, 3}) {
    if (!program.launcher && !has_threads && workers > 1) break;
    const int threads = program.launcher ? 4 - workers : workers;
    ways.push_back(
        {has_threads ? Words{"--threads", thread_number(can, threads)} : Words{}, program.launcher ? workers : 0});
  }
  if (variant.option("time-block") && variant.name != "persistent")  // which is of two dimensions there
    ways.push_back({ways.back().options + Words{"--time-block", "2"}, ways.back().ranks});
  return ways;
}

/// Planes of a case, which its words name by file or with --depth.
int planes_of(const Words& words) {
  if (words.front() == "--depth") return std::stoi(words[1]);
  int nx = 0, ny = 0, nz = 0;
  std::istringstream(read_text(words.front())) >> nx >> ny >> nz;
  return nz;
}

/// A variant of a program in one precision.
struct Kind {
  BuiltProgram program;
  VariantDescription variant;
  std::string precision;
};

void PrintTo(const Kind& kind, std::ostream* out) {
  *out << kind.program.model << ' ' << kind.variant.name << ' ' << kind.precision;
}

std::vector<Kind> kinds() {
  std::vector<Kind> found;
  for (const auto& program : built_programs(usual_workload)) {
    const ProgramDescription can = description_of(program);
    if (!can.no_devices.empty()) continue;
    for (const auto& variant : can.variants)
      for (const auto& precision : variant.precisions) found.push_back({program, variant, precision});
  }
  return found;
}

std::string name_of(const ::testing::TestParamInfo<Kind>& info) {
  std::string name = info.param.program.model + '_' + info.param.variant.name + '_' + info.param.precision;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

/// Another one for each variant and precision.
std::size_t turn_of(const ProgramDescription& can, const VariantDescription& variant, const std::string& precision) {
  std::size_t place = 0;
  while (can.variants.at(place).name != variant.name) ++place;
  return 2 * place + (precision == "f64");
}

class EveryKind : public ::testing::TestWithParam<Kind> {
  const OneProcess one_process_;
};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(EveryKind);
INSTANTIATE_TEST_SUITE_P(ThreeDimensions, EveryKind, ::testing::ValuesIn(kinds()), name_of);

TEST_P(EveryKind, IsRightOrSaysThatItCannot) {
  const auto& [program, variant, precision] = GetParam();
  const TemporaryFolder folder;
  const std::vector<Words> cases = cases_in(folder);
  const Words words = {"--variant", variant.name, "--precision", precision, "--check", "oracle", "--no-output"};
  if (!is_one_of("D3Q19", variant.kinds)) {
    const auto outcome = run_model(program.model, words + cases.front(), program.launcher ? 2 : 0);
    EXPECT_TRUE(outcome.status == 2 || outcome.status == 3) << outcome.status;
    EXPECT_EQ(count_of(outcome.errors, "\n"), 1) << outcome.errors;
    EXPECT_TRUE(has(outcome.errors, "D3Q19")) << outcome.errors;
    return;
  }
  std::size_t right = 0;
  const ProgramDescription can = description_of(program);
  const std::vector<Way> ways = ways_of(program, can, variant);
  for (const Way& way : ways)
    for (const Words& problem : cases) {
      // The last way, which has the most workers, does every second case and the last one, in one precision the ones
      // and in the other the others; the other ways do the first and the last case. Where each is a kernel to be
      // compiled, variants take turns at all but the last.
      const bool is_last_way = &way == &ways.back();
      const auto number = static_cast<std::size_t>(&problem - cases.data());
      bool its_turn = is_last_way ? number % 2 == (precision == "f64") || variant.precisions.size() == 1
                                  : &problem == &cases.front();
      if (is_one_of("no-kernel-cache", can.takes))
        its_turn = is_last_way && number == turn_of(can, variant, precision) % (cases.size() - 1);
      if (&problem != &cases.back() && !its_turn) continue;
      // Of one precision; unoptimised, those of groups that wait take longer.
      const OptimisedKernels optimised((precision == "f32" && &problem == &cases.back()) ||
                                       has(variant.name, "resident"));
      const auto outcome = run_model(program.model, words + way.options + problem, way.ranks);
      if (outcome.status == 3 && has(outcome.errors, "--threads")) break;  // not as many threads as that here
      const bool lacks_device =
          !cannot_run_here(program.model).empty() || has(outcome.errors, "expected an NVIDIA GPU");
      if (outcome.status == 3 && right == 0 && lacks_device) GTEST_SKIP() << outcome.errors;
      if (outcome.status == 2 && has(outcome.errors, "moving walls")) {
        EXPECT_EQ(count_of(outcome.errors, "\n"), 1) << outcome.errors;
        continue;
      }
      const int planes = planes_of(problem);
      EXPECT_EQ(outcome.status, way.ranks > planes ? 2 : 0)
          << problem[0] << ' ' << way.ranks << outcome.output << outcome.errors;
      if (way.ranks <= planes) {
        ++right;
        continue;
      }
      EXPECT_EQ(count_of(outcome.errors, "\n"), 1) << outcome.errors;
      EXPECT_TRUE(has(outcome.errors, fmt::format("{} ranks for {} planes", way.ranks, planes))) << outcome.errors;
    }
  EXPECT_GT(right, 0u);
}

/// Blocks of ranks along every axis and along several, with starts, walls that move and obstacles on their faces.
TEST(ThreeDimensions, BlocksOfEveryShapeAreRight) {
  if (!is_built("mpi")) GTEST_SKIP() << "MPI is not built";
  const OneProcess one_process;
  const TemporaryFolder folder;
  const auto all = cases_in(folder);
  const std::vector<Words> cases = {all[0], all[1], all[2], all.back()};  // those with cells for all the ranks
  const std::vector<std::tuple<std::string, int, std::string>> shapes = {
      {"2x1x1", 2, "rma"}, {"1x2x1", 2, "persistent"}, {"1x1x2", 2, "rma"},     {"3x1x1", 3, "persistent"},
      {"2x2x1", 4, "rma"}, {"1x2x2", 4, "persistent"}, {"2x2x2", 8, "sendrecv"}};
  std::size_t next = 0;
  for (const auto& [shape, ranks, halo] : shapes)
    for (const std::string variant : {"fused", "in-place"}) {
      const Words& problem = cases[next++ % cases.size()];
      const std::string precision = next % 3 == 0 ? "f64" : "f32", threads = ranks == 4 ? "2" : "1";
      SCOPED_TRACE(variant + ' ' + shape + ' ' + problem.front());
      const std::string json = folder / "blocks";
      std::filesystem::remove(json);
      const auto outcome =
          run_model("mpi",
                    Words{"--variant", variant, "--ranks-grid", shape, "--precision", precision, "--threads", threads,
                          "--halo", halo, "--check", "oracle", "--no-output", "--json", json} +
                        problem,
                    ranks);
      ASSERT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
      const auto record = records_in(json).at(0);
      EXPECT_EQ(record.settings["ranks_grid"], shape);
    }
}

/// What every rank has comes together in the place where one rank has it.
TEST(ThreeDimensions, BlocksGiveTheResultOfOneRank) {
  if (!is_built("mpi")) GTEST_SKIP() << "MPI is not built";
  const TemporaryFolder folder;
  for (const std::string variant : {"fused", "in-place"}) {
    const Words words = Words{"--variant", variant, "--precision", "f64"} + cases_in(folder).front();
    ASSERT_EQ(run_model("mpi", Words{"--out", folder.path.string()} + words, 1).status, 0);
    std::filesystem::rename(folder / "final_state.dat", folder / "one.final_state.dat");
    std::filesystem::rename(folder / "av_vels.dat", folder / "one.av_vels.dat");
    for (const auto& [options, ranks] : {std::pair{Words{}, 3}, {Words{"--ranks-grid", "2x3x1"}, 6}}) {
      const auto outcome = run_model("mpi", options + Words{"--no-output", "--check", folder / "one"} + words, ranks);
      EXPECT_EQ(outcome.status, 0) << ranks << outcome.output << outcome.errors;
    }
  }
}

/// Counted in cache lines, of which a face along x has many.
TEST(ThreeDimensions, TheDefaultShapeHasTheLeastHalo) {
  if (!is_built("mpi")) GTEST_SKIP() << "MPI is not built";
  const OneProcess one_process;
  const TemporaryFolder folder;
  const auto none = [](int, int, int) { return ""; };
  const std::string wave = "start shear-wave 1 0 0 0 0.05 0";
  for (const auto& [cells, ranks, shape] : {std::tuple{std::array{8, 8, 8}, 4, "1x1x4"},
                                            {std::array{8, 8, 8}, 8, "1x2x4"},
                                            {std::array{24, 4, 9}, 4, "1x1x4"},
                                            {std::array{200, 4, 4}, 2, "2x1x1"},
                                            {std::array{5, 16, 4}, 3, "1x3x1"}})
    for (const std::string variant : {"fused", "in-place"}) {
      SCOPED_TRACE(variant + ' ' + shape);
      const std::string json = folder / (variant + shape);
      const auto outcome = run_model("mpi",
                                     Words{"--variant", variant, "--check", "oracle", "--no-output", "--json", json} +
                                         write_case(folder, "cube", cells, "0", wave, none),
                                     ranks);
      ASSERT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
      EXPECT_EQ(records_in(json).at(0).settings["ranks_grid"], shape);
    }
}

TEST(ThreeDimensions, VectorsOfEveryLengthAreRight) {
  const OneProcess one_process;
  const TemporaryFolder folder;
  for (const std::string precision : {"f32", "f64"}) {
    int right = 0;
    for (const char* length : {"1", "2", "4", "8", "16", "32"})
      for (const Words& problem : cases_in(folder)) {
        const auto outcome = run_model("serial", Words{"--variant", "wavefront", "--precision", precision, "--vvl",
                                                       length, "--check", "oracle", "--no-output"} +
                                                     problem);
        if (outcome.status == 3) continue;  // not on this processor
        if (outcome.status == 2) {
          EXPECT_TRUE(has(outcome.errors, "--vvl: expected one of")) << outcome.errors;
          continue;
        }
        EXPECT_EQ(outcome.status, 0) << length << outcome.output << outcome.errors;
        ++right;
      }
    EXPECT_GE(right, 7);
  }
}

TEST(ThreeDimensions, ResultsHaveZAndRecordsSayTheLattice) {
  const TemporaryFolder folder;
  const auto words = cases_in(folder).front();
  const auto outcome = run_model("serial", Words{"--variant", "fused", "--precision", "f64", "--out",
                                                 folder.path.string(), "--json", (folder / "json").string()} +
                                               words);
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_TRUE(has(outcome.output, "17 x 11 x 7 cells")) << outcome.output;
  const auto record = records_in(folder / "json").at(0);
  EXPECT_EQ(record.case_.extent, (std::vector<std::int64_t>{17, 11, 7}));
  EXPECT_EQ(record.case_.facts.at("lattice"), "D3Q19");
  EXPECT_EQ(record.work.bytes_per_update, 2 * 19 * 8);
  const std::string state = read_text(folder / "final_state.dat");
  EXPECT_EQ(count_of(state, "\n"), 17 * 11 * 7);
  EXPECT_TRUE(state.starts_with("0 0 0 0.000000000000E+00 0.000000000000E+00 0.000000000000E+00 0.0"))
      << state.substr(0, 80);
  // What was written is what is read as the right answer.
  std::filesystem::rename(folder / "final_state.dat", folder / "right.final_state.dat");
  std::filesystem::rename(folder / "av_vels.dat", folder / "right.av_vels.dat");
  const auto again =
      run_model("serial", Words{"--variant", "wavefront", "--no-output", "--check", folder / "right"} + words);
  EXPECT_EQ(again.status, 0) << again.output << again.errors;
}

}  // namespace
}  // namespace boltzmark::testing
