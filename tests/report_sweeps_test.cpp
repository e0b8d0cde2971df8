// What the report makes of runs that differ in one thing: compilers, vector lengths, workers.
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/report/measured.hpp"
#include "analysis/report/plot_data.hpp"
#include "analysis/report/report_data.hpp"
#include "analysis/report/scaling_data.hpp"
#include "analysis/report/tables.hpp"
#include "analysis/run/launcher.hpp"
#include "entries.hpp"
#include "made_up_results.hpp"
#include "programs.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;
using Texts = std::vector<std::string>;

MadeUpRun cpu_run(const std::string& model, const std::string& variant, double seconds) {
  return {.model = model, .variant = variant, .problem = "128x128", .seconds = {seconds}, .device = "a CPU"};
}

// ---- compilers

TEST(CompilerTable, StandsInTheReportWhereBuildsWereCompared) {
  MadeUpRun gcc = cpu_run("serial", "fused", 2.0), clang = cpu_run("serial", "fused", 1.0);
  gcc.build = "gcc-o3";
  clang.build = "clang-o3";
  const auto find = [](const std::vector<ReportTable>& tables) {
    return std::find_if(tables.begin(), tables.end(),
                        [](const auto& table) { return table.id == "compilers"; });
  };
  const auto tables = make_tables(results_of({gcc, clang}), shipped());
  const auto table = find(tables);
  ASSERT_NE(table, tables.end());
  EXPECT_EQ(row_of(*table, {"128x128"}),
            (Texts{"128x128", "40000", "serial", "fused", "1x1", "2.000", "1.000", "2.00"}));
  EXPECT_TRUE(has_note(*table, "clang-o3: g, -O3"));
  EXPECT_TRUE(has(report_latex(*table), "clang-o3")) << report_latex(*table);
  const auto without = make_tables(results_of({cpu_run("serial", "fused", 2.0)}), shipped());
  EXPECT_EQ(find(without), without.end());
}

// ---- vector lengths

/// A run that was asked for vectors of so many cells; 0: the model chose.
RunEntry with_length(const std::string& variant, int lanes, double seconds, int threads = 1) {
  MadeUpRun run = cpu_run("openmp", variant, seconds);
  run.threads = threads;
  RunEntry e = entry(run);
  if (lanes > 0) e.key.options = {"--vvl", std::to_string(lanes)};
  e.record["settings"] = {{"vector_lanes", lanes > 0 ? lanes : 16},
                          {"vectors", lanes == 4 ? "SSE2" : "AVX2"}};
  return e;
}

TEST(VectorLengthsPlot, HasALineForEachVariantThatWasRunWithSeveral) {
  const auto series_of = [](const std::vector<RunEntry>& entries) {
    Results results;
    results.comparison = make_comparison(entries, LikeForLike{"fused"}, {});
    std::vector<std::string> complaints;
    return plot_data(results, shipped(), analyse_rows(results), ".", complaints).at("vector_lengths");
  };
  const auto plots = series_of({with_length("in-place", 8, 1.0), with_length("in-place", 4, 2.0),
                                with_length("in-place", 0, 0.5), with_length("wavefront", 4, 2.0),
                                with_length("in-place", 4, 8.0, 2), with_length("in-place", 8, 4.0, 2)});
  ASSERT_EQ(plots.size(), 1u);
  EXPECT_EQ(plots[0]["id"], "vectors-128x128-40000-f32");
  const auto& series = plots[0]["series"];
  ASSERT_EQ(series.size(), 2u);  // one length of the wavefront is no line, nor is what the model chose
  EXPECT_EQ(series[0]["variant"], "in-place 1x1");
  EXPECT_EQ(series[1]["variant"], "in-place 1x2");
  const auto& points = series[0]["points"];
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0]["lanes"], 4);
  EXPECT_EQ(points[0]["vectors"], "SSE2");
  EXPECT_EQ(points[1]["vectors"], "AVX2");
  EXPECT_DOUBLE_EQ(points[1]["mlups"], 2.0 * points[0]["mlups"].get<double>());
  EXPECT_TRUE(series_of({with_length("in-place", 4, 2.0), with_length("in-place", 0, 0.5)}).empty());
}

// ---- scaling

ProblemComparison run_on(const std::string& name, int nx, int ny, std::vector<std::pair<int, double>> runs,
                         int threads = 1) {
  ProblemComparison problem = {name, "f32", nx, ny, 100, {}};
  for (const auto& [ranks, mlups] : runs) {
    ComparisonRow row;
    row.model = "mpi";
    row.variant = "wavefront";
    row.threads = threads;
    row.ranks = ranks;
    row.seconds = {1.0};
    row.median = row.minimum = row.maximum = 1.0;
    row.mlups = mlups;
    problem.rows.push_back(row);
  }
  return problem;
}

TEST(ScalingPlots, AreStrongOnOneGridAndWeakOnGridsThatGrow) {
  Comparison comparison;
  comparison.problems = {run_on("box_256x64", 256, 64, {{1, 10.0}, {2, 18.0}}),
                         run_on("box_256x128", 256, 128, {{2, 19.0}}),
                         run_on("box_512x64", 512, 64, {{1, 11.0}}),                // another width
                         run_on("lake_256x256", 256, 256, {{4, 30.0}}),             // another problem
                         run_on("box_256x192", 256, 192, {{3, 28.0}, {5, 40.0}})};  // 5 do not divide it
  const auto plots = scaling_data(comparison);
  ASSERT_EQ(plots.size(), 3u);
  EXPECT_EQ(plots[0]["kind"], "strong");
  EXPECT_EQ(plots[0]["problem"], "box_256x64");
  EXPECT_EQ(plots[1]["problem"], "box_256x192");
  EXPECT_EQ(plots[2]["kind"], "weak");
  EXPECT_EQ(plots[2]["problem"], "box_256x64");
  ASSERT_EQ(plots[2]["series"].size(), 1u);
  EXPECT_EQ(plots[2]["series"][0]["unit"], "ranks");
  const auto& points = plots[2]["series"][0]["points"];
  ASSERT_EQ(points.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(points[i]["workers"], i + 1);
  EXPECT_DOUBLE_EQ(points[1]["mlups"], 19.0);
  EXPECT_TRUE(points[1]["halo_share"].is_null());
}

TEST(ScalingTable, HasEfficiencyExchangesAndWhatWasChecked) {
  Results results;
  auto& problem = results.comparison.problems.emplace_back(run_on(
      "box_256x64", 256, 64, {{1, 10.0}, {2, 18.0}, {4, 30.0}}, 0));  // devices decide on their threads
  for (ComparisonRow& row : problem.rows) row.record = {{"av_vel", row.ranks == 4 ? 0.0099 : 0.01}};
  problem.rows[0].deviation = 1e-6;
  problem.rows[2].halo_share = 0.0512;
  problem.rows[2].halo_share_most = 0.062;
  const ReportTable table = scaling_table(results);
  ASSERT_EQ(table.rows.size(), 3u);
  const std::vector<std::string> last =
      row_of(table, {"box_256x64", "strong", "mpi", "wavefront", "-", "4 ranks", "100", "1.000", "30.00"});
  ASSERT_EQ(last.size(), table.columns.size());
  EXPECT_EQ(join_words({last.begin() + 9, last.end()}), "75.0 5.1 6.2 no");
  EXPECT_EQ(table.rows[0].back().text, "yes");
  EXPECT_TRUE(
      has_note(table, "box_256x64: average velocities of the last step lie within 0.010 of each other"));
  EXPECT_EQ(scaling_data(results.comparison)[0]["series"][0]["points"][2]["halo_share"], 0.0512);
}

}  // namespace
}  // namespace boltzmark
