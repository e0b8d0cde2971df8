// `boltzmark summary` from rows and peaks.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "analysis/compare/comparison.hpp"
#include "analysis/summary/summary.hpp"
#include "common/base/ranges.hpp"
#include "common/base/text.hpp"
#include "figure_rows.hpp"
#include "programs.hpp"

namespace boltzmark {
namespace {

using namespace testing;

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

/// A run of a standard problem, a million updates in these seconds.
RunEntry standard(const std::string& problem, const std::string& model, const std::string& variant,
                  std::vector<double> seconds) {
  return with(entry(model, variant, 1, std::move(seconds)), [&](RunEntry& e) {
    const auto sides = split(problem, 'x');
    e.case_name = e.record->case_.name = problem;
    e.key.case_ = e.record->case_.digest = problem;
    e.record->case_.extent = {std::stoi(sides[0]), std::stoi(sides[1])};
  });
}

std::vector<RunEntry> all_four(double seconds) {
  std::vector<RunEntry> entries;
  for (const char* problem : standard_problems)
    entries.push_back(standard(problem, "openmp", "fused", {seconds, 0.5 * seconds, 2.0 * seconds}));
  return entries;
}

Results with_peaks(std::vector<RunEntry> entries) {
  Results results;
  results.entries = in_rounds(entries);
  ProcessorPeaks& processor = results.peaks.emplace().processor;
  processor.cores = 4;
  processor.bandwidths = {{"DRAM", "copy", 4, {50, 49, 52}}, {"DRAM", "copy", 2, {30, 29, 31}}};
  processor.computes = {{"f32", true, 4, 256, {100, 90, 101}, {}, {}}};
  return results;
}

std::string text_of(const Results& results) { return summary_text(results, make_rows(results), 300); }

TEST(SummaryTest, StreamIsOfItsLongestArrays) {
  Results results =
      with_peaks({entry_of_parts("openmp", 1, {0.02}), with(entry_of_parts("mpi", 1, {0.002}), [](RunEntry& e) {
                    e.key.case_ = e.record->case_.digest = "stream-131072";
                    e.record->case_.extent = {131072};
                  })});
  const auto figures = machine_figures(results, make_rows(results));
  const auto* const triad = find_by(figures, std::string("STREAM triad f32, 10 M elements"), &MachineFigure::name);
  ASSERT_TRUE(triad);
  EXPECT_TRUE(has(triad->by, "openmp")) << triad->by;
}

TEST(SummaryTest, TheMeanIsThatOfTheFourFastestRuns) {
  auto entries = all_four(1.0);
  EXPECT_NEAR(machine_mean(rows_of(in_rounds(entries)), "f32")->median, 1.0, 1e-12);
  entries.push_back(standard("256x256", "mpi", "wavefront", {0.0625, 0.0625, 0.125}));
  const auto mean = machine_mean(rows_of(in_rounds(entries)), "f32");
  EXPECT_NEAR(mean->median, 4.0 / (3.0 + 1.0 / 16.0), 1e-12);   // of rates 1 1 1 16
  EXPECT_NEAR(mean->minimum, 4.0 / (6.0 + 1.0 / 8.0), 1e-12);   // 1/2 1/2 1/2 8
  EXPECT_NEAR(mean->maximum, 4.0 / (1.5 + 1.0 / 16.0), 1e-12);  // 2 2 2 16
  EXPECT_FALSE(machine_mean(rows_of(in_rounds(entries)), "f64"));
  entries.erase(entries.begin());
  EXPECT_FALSE(machine_mean(rows_of(in_rounds(entries)), "f32"));
}

TEST(SummaryTest, OneRoundHasNoInterval) {
  auto entries = all_four(1.0);
  entries.push_back(standard("128x128", "serial", "wavefront", {0.1}));
  const auto mean = machine_mean(rows_of(in_rounds(entries)), "f32");
  EXPECT_EQ(mean->minimum, mean->median);
  EXPECT_EQ(mean->maximum, mean->median);
  Results results;
  results.entries = in_rounds(entries);
  EXPECT_TRUE(has(text_of(results), "1.290 (no interval)")) << text_of(results);
}

TEST(SummaryTest, OnlyRightRunsOfFullPrecisionCount) {
  auto entries = all_four(1.0);
  entries.push_back(
      with(standard("128x128", "mpi", "fused", {0.01}), [](RunEntry& e) { e.status = RunStatus::wrong; }));
  entries.push_back(with(standard("128x128", "opencl", "fused", {0.01}), [](RunEntry& e) {
    e.record->check.tolerance = 5e-3;  // half storage
  }));
  const auto rows = rows_of(in_rounds(entries));
  EXPECT_EQ(fastest_run(rows, "128x128", "f32", false)->key.model, "openmp");
  EXPECT_EQ(fastest_run(rows, "128x128", "f64", false), nullptr);
}

TEST(SummaryTest, LikeForLikeStandsBesideTheBest) {
  auto entries = all_four(1.0);
  for (const char* problem : standard_problems) entries.push_back(standard(problem, "mpi", "wavefront", {0.25, 0.25}));
  const std::string text = text_of(with_peaks(entries));
  EXPECT_TRUE(has(text, "- f32 same algorithm: openmp fused 1x2\n")) << text;
  EXPECT_TRUE(has(text, "- f32 best: mpi wavefront 1x2\n")) << text;
  EXPECT_TRUE(has(text, "memory, copy, all cores 50.0 (49.0-52.0) GB/s")) << text;
  EXPECT_TRUE(has(text, "multiply-adds f32, all cores 100 (90.0-101) GFLOP/s")) << text;
  EXPECT_TRUE(has(text, "no runs that differ only in their number of workers")) << text;
  EXPECT_TRUE(has(text,
                  "intervals           contain the true median with a probability of 50 % (2 rounds) to 75 % (3 "
                  "rounds)\n"))
      << text;
  EXPECT_TRUE(text.starts_with(
      "fastest             lbm 128\u00a0\u00d7\u00a0128, same algorithm: only openmp with 1.00 MLUPS.\n"))
      << text;
}

TEST(SummaryTest, ScalingIsThatOfTheMostWorkers) {
  const auto on = [](int threads, double seconds) {
    return with(standard("256x256", "openmp", "fused", {seconds}),
                [&](RunEntry& e) { e.key.threads = e.record->threads = threads; });
  };
  std::vector<RunEntry> entries = {on(1, 4.0), on(2, 2.2), on(4, 1.25)};
  const std::string text = text_of(with_peaks(entries));
  EXPECT_TRUE(has(text, "openmp fused on 4 threads: 3.20 times one, efficiency 80 % (256x256 f32)")) << text;
  entries.back().record->check = {};
  EXPECT_TRUE(has(text_of(with_peaks(entries)), "efficiency 80 % (256x256 f32, not checked)"));
}

TEST(SummaryTest, SeveralNodesShowWhatFirstTouchIsWorth) {
  Results results = with_peaks({entry_of_parts("openmp", 1, {0.01, 0.011})});
  EXPECT_TRUE(has(text_of(results), "sockets and NUMA nodes: not known"));
  ProcessorPeaks& processor = results.peaks->processor;
  processor.sockets = processor.numa_nodes = 1;
  processor.cores_of_socket = 4;
  EXPECT_TRUE(has(text_of(results), "1 socket, 1 NUMA node: ")) << text_of(results);
  processor.sockets = processor.numa_nodes = processor.cores_of_socket = 2;
  EXPECT_TRUE(
      has(text_of(results), "2 sockets, 2 NUMA nodes; copy on the first socket, 2 cores: 30.0 (29.0-31.0) GB/s"))
      << text_of(results);
  EXPECT_TRUE(has(text_of(results), "first touch was not measured")) << text_of(results);
  results.entries.push_back(with(entry_of_parts("openmp", 1, {0.02, 0.022}), [](RunEntry& e) {
    e.key.options = {"--first-touch", "one"};
  }));
  const std::string text = text_of(results);
  EXPECT_TRUE(has(text, "first touch by each thread 11.4 GB/s, by one 5.71 GB/s: 2.00 times as slow")) << text;
}

TEST(SummaryTest, TwoMachinesSayWhereEachWinsAsTheTableDoes) {
  std::vector<std::vector<Row>> kept;
  kept.reserve(4);
  const auto machine = [&](const char* name, std::vector<double> rounds, const char* gpu, double rate) {
    std::vector<RunEntry> entries;
    for (const char* problem : standard_problems) entries.push_back(standard(problem, "openmp", "fused", rounds));
    Results results = with_peaks(entries);
    DevicePeaks& device = results.peaks->devices.emplace_back();
    device.name = gpu;
    device.type = "gpu";
    device.bandwidths = {{"memory", "copy", 0, {rate, rate - 1, rate + 1}}};
    kept.push_back(make_rows(results));
    return Machine{name, machine_figures(results, kept.back())};
  };
  const auto text_of = [&](const Machine& a, const Machine& b) {
    return scoreboard(a, b, compare_results(kept[0], kept.back()), 120);
  };
  Machine a = machine("here", {1.0, 1.01, 0.99}, "this", 3000), b = machine("there", {0.1, 0.101, 0.099}, "that", 4000);
  b.figures.front().value = {20, 19, 21};  // memory
  b.figures.push_back({"STREAM triad f64", "GB/s", {9, 8, 10}, "serial plain"});
  const std::string text = text_of(a, b);
  EXPECT_TRUE(has(text, "A wins              1: memory, copy, all cores\n")) << text;
  EXPECT_TRUE(has(text, "A      2.50")) << text;
  EXPECT_TRUE(has(text, "B wins              10: GPU, copy; lbm 128x128 f32, same algorithm; ")) << text;
  EXPECT_TRUE(has(text, "neither wins        1: multiply-adds f32, all cores\n")) << text;
  EXPECT_TRUE(has(text, "not in both         0 of A alone, 1 of B alone\n")) << text;
  EXPECT_TRUE(has(text_of(a, {"nothing", {}}), "no figure in common\n"));
  const Machine few = machine("there", {0.1, 0.101}, "that", 4000);
  EXPECT_TRUE(has(text_of(a, few), "B wins              1: GPU, copy\n")) << "too few rounds, as the table has it";
}

/// Kept records of other machines can be read by the program itself.
TEST(SummaryTest, OfKeptResults) {
  const std::filesystem::path kept = std::filesystem::path(BOLTZMARK_SOURCE_DIR) / "analysis" / "results";
  const std::string program = std::string(BOLTZMARK_BIN_DIR) + "/boltzmark";
  for (const char* one : {"h200", "h200-x2", "h200-host", "pocl-2core"}) {
    const Outcome outcome = run_command({program, "summary", "--results", (kept / one).string()});
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_TRUE(has(outcome.output, "standard problems, MLUPS")) << outcome.output;
  }
  const std::string unchecked = (kept / "h200-host/full.jsonl").string();
  const Outcome one = run_command({program, "summary", "--results", unchecked});
  EXPECT_TRUE(has(one.output, "16 rows of 2026-11-21, 16 not checked") && has(one.output, "no right run"))
      << one.output;
  const Outcome both = run_command({program, "summary", "--compare", unchecked, (kept / "pocl-2core").string()});
  EXPECT_EQ(both.status, 0) << both.errors;
  EXPECT_TRUE(has(both.output, "no figure in common")) << both.output;
  const Outcome none = run_command({program, "summary", "--results", "/no/such/folder"});
  EXPECT_EQ(none.status, 2);
  EXPECT_EQ(std::count(none.errors.begin(), none.errors.end(), '\n'), 1) << none.errors;
}

}  // namespace
}  // namespace boltzmark
