// Ways of running that the CPU models have: vector lengths, blocks of steps, exchanges of ranks, more workers than
// cores.
#include <gtest/gtest.h>

#include "common/cpu/processors.hpp"
#include "programs.hpp"

namespace boltzmark::testing {
namespace {

/// Grids on which a row or a block of steps ends in every way.
const Words awkward_grids = {"odd", "every_edge", "one_column", "wide", "tall", "three_rows", "empty"};

/// Vectors of every length that is built here, in a variant where each one matters.
TEST(VectorLengths, EachIsRight) {
  const OneProcess one_process;
  const TemporaryFolder folder;
  for (const std::string precision : {"f32", "f64"}) {
    int right = 0;
    for (const char* length : {"1", "2", "4", "8", "16", "32"})
      for (const auto& name : awkward_grids) {
        SCOPED_TRACE(precision + " " + length + " " + name);
        const auto outcome = run_model("serial", Words{"--variant", "wavefront", "--precision", precision, "--vvl",
                                                       length, "--check", "oracle", "--no-output"} +
                                                     write_problem(folder, grid(name)));
        if (outcome.status == 3) continue;  // not on this processor
        if (outcome.status == 2) {
          EXPECT_TRUE(has(outcome.errors, "--vvl: expected one of")) << outcome.errors;
          continue;
        }
        EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
        ++right;
      }
    EXPECT_GE(right, 3 * static_cast<int>(awkward_grids.size()));
  }
}

/// Blocks of steps that are shorter and longer than strips, and that do and do not divide the steps.
TEST(TimeBlocks, AnyDepthIsRight) {
  const OneProcess one_process;
  const TemporaryFolder folder;
  struct Model {
    std::string name;
    Words options, depths;
    int ranks;
    std::string variant = "wavefront";
  };
  const std::vector<Model> models = {{"serial", {}, {"1", "2", "3", "7", "1000"}, 0},
                                     {"openmp", {"--threads", "2"}, {"1", "2", "3", "7", "1000"}, 0},
                                     {"openmp", {"--threads", "3"}, {"2", "5", "1000"}, 0},
                                     {"mpi", {}, {"2", "6"}, 2},
                                     {"mpi", {"--threads", "2"}, {"2", "1000"}, 2},
                                     {"mpi", {}, {"1", "3", "1000"}, 2, "shared"},
                                     {"mpi", {"--threads", "2"}, {"5"}, 3, "shared"}};
  int turn = 0;
  for (const Model& model : models) {
    if (!is_built(model.name) || (!model.options.empty() && !is_built("openmp"))) continue;
    for (const auto& depth : model.depths)
      for (const auto& name : awkward_grids) {
        if (model.ranks > 0 && turn++ % 2 == 0) continue;  // ranks take their time to start
        SCOPED_TRACE(model.name + " " + model.variant + " " + depth + " " + name);
        const auto outcome =
            run_model(model.name,
                      model.options +
                          Words{"--variant", model.variant, "--time-block", depth, "--check", "oracle", "--no-output"} +
                          write_problem(folder, grid(name)),
                      model.ranks);
        EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
      }
  }
}

/// Exchanges that no variant has as its default, and strips of unequal height.
TEST(HaloMethods, EachIsRight) {
  if (!is_built("mpi")) GTEST_SKIP() << "MPI is not built";
  const OneProcess one_process;
  const TemporaryFolder folder;
  const Grid low_half = {"low_half", 33, 64, 37, [](int x, int y) { return y < 40 && (x + y) % 9 != 0; }};
  const Grid low_wall = {"low_wall", 33, 64, 37, [](int, int y) { return y < 40; }};
  for (const auto& [variant, halo, ranks] : {std::tuple{"fused", "sendrecv", 3},
                                             {"in-place", "sendrecv", 2},
                                             {"wavefront", "sendrecv", 2},
                                             {"fused", "rma", 2},
                                             {"in-place", "rma", 3},
                                             {"wavefront", "rma", 3}})
    for (const Grid& g : {grid("odd"), grid("three_rows"), low_half, low_wall}) {
      SCOPED_TRACE(fmt::format("{} {} {}", variant, halo, g.name));
      const std::string json = folder / fmt::format("{}{}{}", variant, halo, g.name);
      const auto outcome = run_model("mpi",
                                     Words{"--variant", variant, "--halo", halo, "--repeat", "2", "--check", "oracle",
                                           "--no-output", "--json", json} +
                                         write_problem(folder, g),
                                     ranks);
      ASSERT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
      const auto settings = records_in(json).at(0).settings;
      EXPECT_EQ(settings["halo"], halo);
      EXPECT_GT(settings["halo_seconds"], 0.0);
      // 24 rows of fluid, and 40 that cost next to nothing: all of these in the first strip.
      if (g.name == "low_wall") {
        EXPECT_GT(settings["strip_rows_most"], 44);
      }
    }
}

/// Blocks in two dimensions, also of one row or one column.
TEST(RanksGrids, EachIsRight) {
  if (!is_built("mpi")) GTEST_SKIP() << "MPI is not built";
  const OneProcess one_process;
  const TemporaryFolder folder;
  std::size_t turn = 0;
  for (const auto& [shape, ranks] : {std::pair{"2x1", 2}, {"1x2", 2}, {"3x1", 3}, {"2x2", 4}, {"2x3", 6}})
    for (const char* name : {"odd", "three_rows", "wrap_x"}) {
      const std::string halo = turn % 3 == 0 ? "rma" : turn % 3 == 1 ? "persistent" : "sendrecv";
      const std::string variant = turn++ % 2 == 0 ? "in-place" : "fused";
      SCOPED_TRACE(variant + ' ' + shape + ' ' + name);
      const std::string json = folder / (std::string(shape) + name);
      const auto outcome = run_model("mpi",
                                     Words{"--variant", variant, "--ranks-grid", shape, "--check", "oracle",
                                           "--no-output", "--halo", halo, "--json", json} +
                                         write_problem(folder, grid(name)),
                                     ranks);
      ASSERT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
      EXPECT_EQ(records_in(json).at(0).settings["ranks_grid"], shape);
    }
}

/// Without a wish; counted in cache lines, of which a face along x has many.
TEST(RanksGrids, TheDefaultHasTheLeastHalo) {
  if (!is_built("mpi")) GTEST_SKIP() << "MPI is not built";
  const OneProcess one_process;
  const TemporaryFolder folder;
  const auto open = [](int, int) { return false; };
  for (const auto& [nx, ny, ranks, shape] :
       {std::tuple{16, 16, 4, "1x4"}, {33, 16, 2, "1x2"}, {400, 12, 2, "2x1"}, {400, 40, 4, "1x4"}, {7, 30, 5, "1x5"}})
    for (const std::string variant : {"fused", "in-place"}) {
      SCOPED_TRACE(variant + ' ' + shape);
      const std::string json = folder / (variant + shape);
      const auto outcome = run_model("mpi",
                                     Words{"--variant", variant, "--check", "oracle", "--no-output", "--json", json} +
                                         write_problem(folder, {shape, nx, ny, 11, open}),
                                     ranks);
      ASSERT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
      EXPECT_EQ(records_in(json).at(0).settings["ranks_grid"], shape);
    }
}

/// A warning, not an error, and not a word to those who want none.
TEST(Crowding, IsSaidInOneLine) {
  if (!is_built("mpi") || !is_built("openmp")) GTEST_SKIP() << "no ranks with threads";
  const TemporaryFolder folder;
  const auto words =
      Words{"--no-output", "--threads", std::to_string(usable_cores() + 1)} + write_problem(folder, grid("odd"));
  const auto outcome = run_model("mpi", words);
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(count_of(outcome.errors, "\n"), 1) << outcome.errors;
  EXPECT_TRUE(has(outcome.errors, "lbm-mpi: warning: ")) << outcome.errors;
  EXPECT_EQ(run_model("mpi", Words{"--quiet"} + words).errors, "");
}

}  // namespace
}  // namespace boltzmark::testing
