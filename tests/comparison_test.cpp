// Rows of the table of figures set against one another.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "analysis/matrix/matrix.hpp"
#include "analysis/roofline/run_tables.hpp"
#include "common/base/statistics.hpp"
#include "figure_rows.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;

RunEntry on_threads(RunEntry e, int threads) {
  e.key.threads = e.record->threads = threads;
  return e;
}

TEST(FiguresTest, SpeedUpsAreOverTheRolesOfSerial) {
  const auto rows =
      rows_of(in_rounds({entry("serial", "textbook", 1, {8.0}), entry("serial", "fused", 1, {4.0}),
                         entry("openmp", "fused", 1, {1.0, 2.0, 4.0}),
                         with(entry("mpi", "fused", 1, {1.0}), [](RunEntry& e) { e.status = RunStatus::wrong; }),
                         with(entry("openmp", "fused", 1, {1.0}),
                              [](RunEntry& e) { e.key.case_ = e.record->case_.digest = "another"; })}));
  EXPECT_EQ(values_of(rows, "speed_up_over_textbook"), (Cells{"1", "2", "4", "", ""}));
  EXPECT_EQ(values_of(rows, "speed_up_over_like_for_like"), (Cells{"0.5", "1", "2", "", ""}));
  EXPECT_EQ(value_of(rows[2], "speed_up_over_textbook_min"), "2");
  EXPECT_EQ(value_of(rows[2], "speed_up_over_textbook_max"), "8");
  EXPECT_EQ(values_of(rows, "best_of_model"), (Cells{"false", "true", "true", "false", "true"}));
}

/// Factors of the last row: flags, layout, blocking, cores and all.
Cells factors_of(std::vector<RunEntry> entries) {
  const auto rows = rows_of(std::move(entries));
  Cells values;
  for (const char* column : {"factor_flags", "factor_layout", "factor_blocking", "factor_cores", "factor_whole"})
    values.push_back(value_of(rows.back(), column));
  return values;
}

TEST(FiguresTest, ASpeedUpIsSplitByRunsThatAreThere) {
  const auto built_for_this = [](RunEntry e) {
    return e.record->provenance.flags += " -march=native", on_threads(e, 1);
  };
  const RunEntry generic = with(on_threads(entry("serial", "textbook", 1, {96.0}), 1),
                                [](RunEntry&e) { e.key.build = "any"; }),
                 native = built_for_this(entry("serial", "textbook", 1, {48.0})),
                 fused = built_for_this(entry("openmp", "fused", 1, {12.0})),
                 blocked = built_for_this(entry("openmp", "wavefront", 1, {4.0})),
                 serial_fused = built_for_this(entry("serial", "fused", 1, {8.0})),
                 run = entry("openmp", "wavefront", 1, {1.0});
  // Runs of another problem, wrong runs and those in other storage are used for none of them.
  const auto at_16 = with(blocked, [](RunEntry& e) { e.key.options = {"--storage", "f16"}; });
  EXPECT_EQ(factors_of({generic, native, fused, blocked, serial_fused, at_16, run}), (Cells{"2", "4", "3", "4", "96"}));
  EXPECT_EQ(factors_of({native, fused, blocked, serial_fused, run}), (Cells{"", "4", "3", "4", ""}));
  EXPECT_EQ(factors_of({generic, native, fused, at_16, run}), (Cells{"2", "4", "", "", "96"}));
  EXPECT_EQ(factors_of({generic, native, serial_fused, run}), (Cells{"2", "6", "", "", "96"})) << "serial stands in";
  EXPECT_EQ(factors_of({generic, native, run}), (Cells{"2", "", "", "", "96"}));
  EXPECT_EQ(factors_of({generic, native, fused, blocked, on_gpu("opencl", "wavefront", 0.5)}),
            (Cells{"", "", "", "", ""}))
      << "cores are a processor's";
  const TableData table = factor_table(rows_of({native, fused, run}));
  EXPECT_EQ(table.rows.at(0)["blocking"], "not measured");
  EXPECT_EQ(table.rows.at(0)["layout"], 4.0);
  EXPECT_NE(table.text(120).find("not measured"), std::string::npos);
}

TEST(FiguresTest, TheFastestOfEachModelHasItsShareOfTheBest) {
  const auto rows = rows_of({entry("serial", "fused", 1, {4.0}), entry("openmp", "fused", 1, {1.0}),
                             entry("openmp", "textbook", 1, {2.0}),
                             with(entry("openmp", "openblas", 1, {0.5}), [](RunEntry& e) { e.record->role = "peer"; }),
                             with(entry("openmp", "fused", 1, {0.4}),
                                  [](RunEntry& e) {
                                    e.key.options = {"--storage", "f16"};
                                    e.record->settings["storage"] = "f16";
                                  }),
                             with(entry("opencl", "two-grid", 1, {2.0}),
                                  [](RunEntry& e) {
                                    e.key.device = e.record->device = "a GPU";
                                    e.record->device_type = "gpu";
                                  }),
                             entry("opencl", "two-grid", 1, {1.25}),
                             with(entry("mpi", "fused", 1, {0.1}), [](RunEntry& e) { e.status = RunStatus::wrong; })});
  EXPECT_EQ(values_of(rows, "share_of_best"), (Cells{"0.25", "1", "", "", "", "0.5", "0.8", ""}));
  EXPECT_EQ(value_of(rows[4], "best_of_model"), "false");
}

TEST(FiguresTest, RowsOfOtherStepsAreOfTheSameProblem) {
  auto longer = entry("openmp", "fused", 1, {2.0});  // twice the steps in as many seconds a step
  longer.key.steps = longer.record->steps = 20;
  longer.record->work.updates = 2e6;
  EXPECT_EQ(values_of(rows_of({entry("serial", "fused", 1, {2.0}), longer}), "share_of_best"), (Cells{"0.5", "1"}));
}

TEST(FiguresTest, ATieIsAnEquivalenceAndNoiseLeavesRowsUndecided) {
  const auto standings = [](std::vector<double> fastest, std::vector<double> other) {
    return values_of(rows_of(in_rounds({entry("openmp", "fused", 1, fastest), entry("mpi", "fused", 1, other)})),
                     "standing");
  };
  EXPECT_EQ(standings({1.0, 1.1, 1.2}, {1.15, 1.3, 1.4}), (Cells{"fastest", "undecided"}));
  EXPECT_EQ(standings({1.0, 1.1, 1.2}, {1.0, 1.1, 1.2})[1], "undecided") << "equal medians within 20 % of noise";
  EXPECT_EQ(standings({1.0, 1.1, 1.2}, {1.6, 1.65, 1.7}), (Cells{"fastest", "behind"}));
  EXPECT_EQ(standings({1.0, 1.01, 1.02}, {1.005, 1.015, 1.025}), (Cells{"fastest", "tie"}));
  EXPECT_EQ(standings({1.0, 1.0001, 1.0002}, {1.019, 1.0191, 1.0192}), (Cells{"fastest", "tie"})) << "below least_gap";
  EXPECT_EQ(standings({1.0, 1.0001, 1.0002}, {1.022, 1.0221, 1.0222}), (Cells{"fastest", "behind"}));
  EXPECT_EQ(standings({1.0, 1.1}, {1.05, 1.2}), (Cells{"", ""})) << "too few rounds to tell";
}

/// Rounds of equal runs on a machine that changes between two speeds, and of one that is `slower` times as slow.
std::vector<std::vector<double>> rounds_at_two_speeds(std::mt19937& random, double slower, std::size_t rounds) {
  std::normal_distribution<double> jitter(1.0, 0.005);
  std::bernoulli_distribution is_slow(0.5);
  std::vector<std::vector<double>> both(2, std::vector<double>(rounds));
  for (std::size_t side : {0u, 1u})
    for (double& seconds : both[side]) seconds = jitter(random) * (is_slow(random) ? 1.6 : 1.0) * (side ? slower : 1.0);
  return both;
}

TEST(FiguresTest, AMachineOfTwoSpeedsPutsNoModelBehindInThreeRounds) {
  std::mt19937 random(1);
  const auto behind = [&random](double slower, std::size_t rounds) {
    constexpr int pairs = 4000;
    int found = 0;
    for (int i = 0; i < pairs; ++i) {
      const auto both = rounds_at_two_speeds(random, slower, rounds);
      if (standing_of(both[0], both[1], 1.6) == Standing::behind) ++found;
    }
    return static_cast<double>(found) / pairs;
  };
  EXPECT_EQ(behind(1.0, 3), 0.0);
  EXPECT_EQ(behind(1.0, 5), 0.0);
  EXPECT_LT(behind(1.0, 6), 0.05);
  EXPECT_LT(behind(1.0, 12), 0.05);
  EXPECT_EQ(behind(1.5, 3), 0.0) << "the other speed, or slower code";
  EXPECT_GT(behind(10.0, 3), 0.5) << "more than both speeds can make";
  EXPECT_GT(behind(2.0, 12), 0.9);
  EXPECT_EQ(standing_of({1.0, 1.001, 1.002}, {1.6, 1.601, 1.602}), Standing::behind) << "nobody knows of the speeds";
  EXPECT_EQ(rounds_to_decide({1.0, 1.001, 1.002}, {1.6, 1.601, 1.602}, 1.6), rounds_if_noisy);
  EXPECT_EQ(rounds_to_decide({0.96, 1.0, 1.04}, {0.96, 1.0, 1.04}, 1.0), 8u) << "until the interval is within 5 %";
}

TEST(FiguresTest, ASpeedUpHasTheIntervalsOfBothMedians) {
  const auto rows =
      rows_of(in_rounds({entry("serial", "textbook", 1, {7.0, 8.0, 10.0}),
                         entry("openmp", "fused", 1, {1.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 3.0, 9.0})}));
  // For ten values, between the second and third from each end: 2 x 1.07 % are beyond the one, 2 x 5.5 % beyond the
  // other.
  EXPECT_EQ(rows[1].time_interval.minimum, 2.0);
  EXPECT_NEAR(rows[1].time_interval.maximum, 2.342, 1e-3);
  EXPECT_EQ(value_of(rows[0], "seconds_low") + ' ' + value_of(rows[0], "seconds_high"), "7 10");
  EXPECT_EQ(value_of(rows[0], "seconds_coverage") + ' ' + value_of(rows[1], "seconds_coverage"), "0.75 0.95");
  EXPECT_EQ(value_of(rows[1], "speed_up_over_textbook"), "4");
  EXPECT_NEAR(rows[1].over_textbook->minimum, 7.0 / 2.342, 1e-3);
  EXPECT_EQ(value_of(rows[1], "speed_up_over_textbook_max"), "5");
  EXPECT_EQ(value_of(rows[1], "notes"), "noisy (spread 400 %)");
}

TEST(FiguresTest, TheIntervalOfAMedianIsThatOfTheTables) {
  // Conover, table A3, p = 0.5: ranks for 95 %.
  for (const auto& [count, rank] : std::vector<std::pair<int, int>>{
           {1, 1}, {5, 1}, {6, 1}, {8, 1}, {9, 2}, {15, 4}, {25, 8}, {50, 18}, {100, 40}, {10000, 4902}}) {
    std::vector<double> values;
    for (int i = count; i > 0; --i) values.push_back(i);
    const Interval interval = median_interval(values);
    EXPECT_GE(interval.low, rank) << count;
    EXPECT_LT(interval.low, rank + 1) << count;
    EXPECT_NEAR(interval.low + interval.high, count + 1, 1e-9) << count;
    EXPECT_NEAR(interval.coverage, count < 6 ? 1.0 - std::pow(0.5, count - 1) : 0.95, 1e-12) << count;
  }
  EXPECT_EQ(relative_half_width({4.0, 3.0, 5.0}), 0.25);
  EXPECT_TRUE(std::isinf(relative_half_width({4.0})));
}

TEST(FiguresTest, TheIntervalsOfAnyNumberOfRoundsCoverAlike) {
  std::mt19937 random(1);
  std::exponential_distribution<double> skewed;
  for (const int count : {6, 7, 8, 10, 12, 13, 20, 30}) {
    constexpr int sets = 20000;
    int covered = 0;
    for (int set = 0; set < sets; ++set) {
      std::vector<double> values;
      for (int i = 0; i < count; ++i) values.push_back(skewed(random));
      const Interval interval = median_interval(values);
      if (interval.low <= std::log(2.0) && std::log(2.0) <= interval.high) ++covered;
    }
    EXPECT_GT(covered, 0.93 * sets) << count;
    EXPECT_LT(covered, 0.97 * sets) << count;
  }
}

TEST(FiguresTest, ARoofIsTheBestThatTwoOthersConfirm) {
  EXPECT_EQ(confirmed_best({26.0, 26.3, 45.9, 45.0, 25.0, 44.9, 60.0}), 45.9);  // disturbed, and one error of the clock
  EXPECT_EQ(confirmed_best({10.0, 20.0, 40.0}), 20.0);
  EXPECT_EQ(confirmed_best({1.0, 2.0, 3.0, 40.0, 30.0, 10.0, 4.0}), 10.0);
  EXPECT_EQ(confirmed_best({7.0}) + confirmed_best({7.0, 10.0}), 17.0);
}

TEST(FiguresTest, ScalesOverTheWorkersOfALine) {
  const auto rows = rows_of(
      {on_threads(entry("openmp", "fused", 1, {4.0}), 1), on_threads(entry("openmp", "fused", 1, {2.5}), 2),
       on_threads(entry("openmp", "fused", 1, {1.0}), 8), on_threads(entry("openmp", "in-place", 1, {1.0}), 8)});
  EXPECT_EQ(values_of(rows, "strong_speed_up"), (Cells{"1", "1.6", "4", ""}));
  EXPECT_EQ(values_of(rows, "strong_efficiency"), (Cells{"1", "0.8", "0.5", ""}));
  EXPECT_EQ(values_of(rows, "workers_unit"), (Cells{"threads", "threads", "threads", ""}));
}

TEST(FiguresTest, StrongScalingIsFittedByAmdahlsLaw) {
  const auto rows_at = [](double first, double seconds_of_two, double seconds_of_eight) {
    return rows_of({on_threads(entry("openmp", "fused", 1, {first}), 1),
                    on_threads(entry("openmp", "fused", 1, {seconds_of_two}), 2),
                    on_threads(entry("openmp", "fused", 1, {seconds_of_eight}), 8)});
  };
  const auto number = [](const Row& row, const char* column) { return std::stod(value_of(row, column)); };
  const auto exact = rows_at(1.0, 0.6, 0.3);
  EXPECT_NEAR(number(exact[0], "strong_serial_share"), 0.2, 1e-12);
  EXPECT_NEAR(number(exact[2], "strong_fit_residual"), 0.0, 1e-12);
  EXPECT_NEAR(number(exact[2], "strong_fit_speed_up"), 1.0 / 0.3, 1e-12);
  EXPECT_GT(number(rows_at(1.0, 0.66, 0.27)[0], "strong_fit_residual"), 0.05);
  EXPECT_EQ(number(rows_at(1.0, 0.4, 0.1)[0], "strong_serial_share"), 0.0);  // faster than ideal
  EXPECT_EQ(value_of(rows_of({on_threads(entry("openmp", "fused", 1, {2.0}), 1),
                              on_threads(entry("openmp", "fused", 1, {1.0}), 2)})[0],
                     "strong_serial_share"),
            "");
}

TEST(FiguresTest, TheSlowestAxisGrowsWithTheWorkersInWeakScaling) {
  const auto box = [](int ranks, double seconds) {
    return with(entry("mpi", "fused", 1, {seconds}), [ranks](RunEntry& e) {
      Record& r = *e.record;
      e.key.ranks = r.ranks = ranks;
      r.threads = 1;
      r.case_ = {fmt::format("box_256x{}", 64 * ranks), fmt::format("digest{}", ranks), {256, 64 * ranks}, {}};
      r.work.updates = 1e6 * ranks;
    });
  };
  const auto by_law = rows_of({box(1, 1.0), box(2, 2.0 / 1.8), box(4, 4.0 / 3.4)});
  EXPECT_NEAR(std::stod(value_of(by_law[0], "weak_serial_share")), 0.2, 1e-12);
  EXPECT_NEAR(std::stod(value_of(by_law[2], "weak_fit_speed_up")), 3.4, 1e-12);
  const auto rows = rows_of({box(1, 1.0), box(2, 1.0), box(4, 2.0)});
  EXPECT_EQ(values_of(rows, "weak_line"), (Cells{"box_256x64", "box_256x64", "box_256x64"}));
  EXPECT_EQ(values_of(rows, "weak_efficiency"), (Cells{"1", "1", "0.5"}));
  EXPECT_EQ(values_of(rows, "weak_speed_up"), (Cells{"1", "2", "2"}));
  EXPECT_EQ(values_of(rows, "strong_speed_up"), (Cells{"", "", ""}));
  EXPECT_EQ(value_of(rows[2], "workers_unit"), "ranks");
}

TEST(FiguresTest, BuildsAreHeldAgainstTheFirst) {
  const auto of = [](const char* build, const char* variant, double seconds) {
    return with(entry("serial", variant, 1, {seconds}), [build](RunEntry& e) { e.key.build = build; });
  };
  const auto rows = rows_of({of("gcc", "fused", 2.0), of("clang", "fused", 1.0), of("clang", "in-place", 1.0)});
  EXPECT_EQ(values_of(rows, "speed_up_over_build"), (Cells{"1", "2", ""}));
  EXPECT_EQ(values_of(rows, "verdict_over_build"), (Cells{"", "", ""}));
  EXPECT_EQ(values_of(rows, "setting"), (Cells{"gcc", "clang", "clang"}));
  const auto verdict = [&](std::vector<double> first, std::vector<double> second) {
    auto entries = in_rounds({entry("serial", "fused", 1, first), entry("serial", "fused", 1, second)});
    for (std::size_t i = 0; i < entries.size(); ++i) entries[i].key.build = i < first.size() ? "gcc" : "clang";
    const auto both = rows_of(entries);
    const auto said = conditions(of_plans(both));
    const std::string words = value_of(both[1], "verdict_over_build");
    EXPECT_TRUE(std::ranges::any_of(said, [&](const std::string& line) {
      return line.starts_with("clang beside gcc: " + words + " in 1");
    })) << words;
    return words;
  };
  EXPECT_EQ(verdict({2.0, 2.01, 2.02}, {1.0, 1.01, 1.02}), "faster");
  EXPECT_EQ(verdict({1.0, 1.01, 1.02}, {2.0, 2.01, 2.02}), "slower");
  EXPECT_EQ(verdict({1.0, 1.01, 1.02}, {1.0, 1.01, 1.02}), "tie");
  EXPECT_EQ(verdict({1.0, 1.3, 1.4}, {1.1, 1.2, 1.5}), "undecided");
}

TEST(FiguresTest, PortabilityIsTheHarmonicMeanOverDevices) {
  const auto on_processor = [](double seconds, const char* name) {
    return with(entry("opencl", "published", 1, {seconds}),
                [name](RunEntry& e) { e.key.device = e.record->device = name; });
  };
  Results results;
  // 0.072 GB in each: 7.2 GB/s are 0.72 of the GPU's roof, 3.6 and 1.8 are 0.6 and 0.3 of the processor's.
  results.entries = {on_gpu("opencl", "published", 0.01),
                     on_gpu("opencl", "two-grid", 0.01),
                     on_processor(0.04, "a runtime's name"),
                     on_processor(0.02, "another runtime's name"),
                     on_threads(entry("openmp", "fused", 1, {0.02}), 2),
                     with(on_gpu("opencl", "published", 0.001), [](RunEntry& e) { e.key.work_group = "64x4"; }),
                     with(on_gpu("opencl", "published", 0.001), [](RunEntry& e) { e.status = RunStatus::wrong; })};
  results.entries.back().key.precision = results.entries.back().record->precision = "f64";
  results.peaks.emplace();
  results.peaks->processor.cores = 2;
  results.peaks->processor.bandwidths = {{"DRAM", "copy", 2, {4, 4, 4}}};
  results.peaks->devices.resize(1);
  results.peaks->devices[0].name = "G";
  results.peaks->devices[0].type = "gpu";
  results.peaks->devices[0].bandwidths = {{"memory", "copy", 0, {10, 10, 10}}};
  const auto rows = make_rows(results);
  const std::string both = fmt::format("{:.6g}", 2.0 / (1.0 / 0.72 + 1.0 / 0.6));
  Cells found;
  for (const Row& row : rows)
    found.push_back(row.portability ? fmt::format("{:.6g} {}", row.portability->mean_share, row.portability->devices)
                                    : "");
  EXPECT_EQ(found, (Cells{both + " 2", "0.72 1", both + " 2", both + " 2", "0.6 1", "1 1", ""}));
  EXPECT_EQ(value_of(rows[0], "portability_devices"), "2");
  EXPECT_EQ(value_of(rows[0], "portability").substr(0, 4), "0.65");
  // Without peaks there are no shares.
  EXPECT_EQ(values_of(rows_of({on_gpu("opencl", "published", 0.01)}), "portability"), (Cells{""}));
}

}  // namespace
}  // namespace boltzmark
