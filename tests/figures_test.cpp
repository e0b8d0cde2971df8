// The one table of figures: which rows runs make, and how they are printed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "analysis/matrix/matrix.hpp"
#include "analysis/roofline/run_tables.hpp"
#include "analysis/roofline/words.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/text.hpp"
#include "figure_rows.hpp"
#include "programs.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;

TEST(FiguresTest, RoundsOfAConfigurationAreARow) {
  const auto rows = rows_of({entry("serial", "fused", 1, {2.0, 1.0}), entry("serial", "fused", 2, {4.0})});
  ASSERT_EQ(rows.size(), 1u);
  const Row& row = rows[0];
  EXPECT_EQ(value_of(row, "rounds") + value_of(row, "repeats"), "23");
  EXPECT_EQ(value_of(row, "seconds_median"), "2.75");  // of 1.5 and 4
  EXPECT_EQ(value_of(row, "seconds_min") + value_of(row, "seconds_max"), "14");
  EXPECT_EQ(value_of(row, "seconds"), "[2.0,1.0,4.0]");
  EXPECT_DOUBLE_EQ(row.rate->median, 1.0 / 2.75);  // a million updates
  EXPECT_DOUBLE_EQ(row.rate->minimum, 0.25);
  EXPECT_DOUBLE_EQ(row.rate->maximum, 1.0);
  EXPECT_EQ(row.rate_unit, "MLUPS");
  EXPECT_DOUBLE_EQ(row.gb_per_s.median, 0.072 / 2.75);
  EXPECT_DOUBLE_EQ(row.gflop_per_s.median, 0.1 / 2.75);
  EXPECT_EQ(value_of(row, "conventional_gflop_per_s").substr(0, 6), "0.0443");
  EXPECT_EQ(value_of(row, "deviation"), "3e-06");
  EXPECT_EQ(value_of(row, "init_seconds") + value_of(row, "collate_seconds"), "0.50.25");
  EXPECT_EQ(value_of(row, "verdict"), "no peaks");
  EXPECT_EQ(value_of(row, "notes"), "noisy (spread 91 %)");  // of the rounds
}

TEST(FiguresTest, ARowIsAsGoodAsTheWorstOfItsRounds) {
  const auto rows = rows_of({entry("serial", "fused", 1, {2.0}), failed("serial", "fused", 2, RunStatus::timeout),
                             failed("mpi", "fused", 1, RunStatus::skipped)});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(status_words(rows[0]), "serial fused: timeout (round 2): because");
  EXPECT_TRUE(rows[0].has_figures());
  EXPECT_FALSE(rows[0].is_right());
  EXPECT_EQ(value_of(rows[1], "status") + ' ' + value_of(rows[1], "reason"), "skipped because");
  for (const char* name : {"seconds_median", "rate", "gb_per_s", "nx", "device_type", "passed", "bound"})
    EXPECT_EQ(value_of(rows[1], name), "") << name;
  EXPECT_EQ(value_of(rows[1], "settings") + value_of(rows[1], "metrics"), "{}{}");
}

TEST(FiguresTest, WhatWasNeverCheckedIsNotRight) {
  const auto unchecked = with(entry("openmp", "fused", 1, {1.0}), [](RunEntry& e) { e.record->check = {}; });
  const auto sampled = with(entry("mpi", "fused", 1, {1.0}), [](RunEntry& e) { e.record->check.extent = {3, 100, 7}; });
  const auto rows = rows_of({entry("serial", "textbook", 1, {4.0}), unchecked, sampled});
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_TRUE(rows[1].is_done() && !rows[1].is_right());
  for (const char* name : {"speed_up_over_textbook", "share_of_best", "checked", "passed"})
    EXPECT_EQ(value_of(rows[1], name), "") << name;
  EXPECT_EQ(value_of(rows[2], "speed_up_over_textbook"), "4");
  EXPECT_EQ(value_of(rows[2], "checked"), "3 of 100, drawn by seed 7");
  EXPECT_TRUE(rows[0].is_right());  // an older record, without the number of elements
  const std::string matrix = matrix_text(rows, View::best, 120, 0);
  EXPECT_TRUE(has(matrix, "All 2 checked runs are right; 1 not checked")) << matrix;
  const nlohmann::json written = *sampled.record;
  const Check read = written.get<Record>().check;
  EXPECT_EQ(read.extent->words(), "3 of 100, drawn by seed 7");
  EXPECT_FALSE(nlohmann::json(*unchecked.record).get<Record>().check.extent);
}

TEST(FiguresTest, RanksOfARunThatNeverSaidItsThreadsStandAlone) {
  const auto skipped = with(failed("mpi", "fused", 1, RunStatus::skipped), [](RunEntry& e) {
    e.key.threads = 0;
    e.key.ranks = 2;
  });
  const auto rows = rows_of({entry("serial", "fused", 1, {2.0}), skipped});
  EXPECT_EQ(workers_words(rows[1]), "2 ranks");
  const std::string text = comparison_text(rows, 120);
  EXPECT_TRUE(has(text, " 2 ranks ") && !has(text, "2x-")) << text;
}

TEST(FiguresTest, ADeviceThatWasNamedAndOneThatWasFoundAreTheSame) {
  const auto asked = with(entry("opencl", "fused", 1, {2.0}), [](RunEntry& e) { e.key.device = "gpu"; });
  const auto lost = with(failed("opencl", "fused", 2, RunStatus::failed), [](RunEntry& e) { e.key.device = "gpu"; });
  EXPECT_EQ(rows_of({asked, entry("opencl", "fused", 1, {2.0}), lost}).size(), 1u);
}

TEST(FiguresTest, ANoisyFigureIsMarked) {
  auto lucky = entry_of_parts("openmp", 1, {0.01, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02});
  EXPECT_TRUE(has(comparison_text(rows_of({lucky}), 120), "4.00 (1 run!)"));  // repeats of one process are not rounds
  const auto again = with(lucky, [](RunEntry& e) { e.key.round = 2; });
  const std::string text = comparison_text(rows_of({lucky, again}), 120);
  EXPECT_TRUE(has(text, "4.00 ±0% ")) << text;   // copy: 80 MB in 0.02 s, not in 0.01 s, and in both rounds alike
  EXPECT_TRUE(has(text, "6.00 ±0%\n")) << text;  // triad
  EXPECT_TRUE(has(text, "Intervals: contain the true median with a probability of 50 % (2 rounds)\n")) << text;
  const std::string noisy = comparison_text(rows_of({entry("serial", "fused", 1, {1.0, 2.0, 2.0})}), 120);
  EXPECT_TRUE(has(noisy, " 2.000! ")) << noisy;
  EXPECT_TRUE(has(noisy, "Noisy (!): serial fused (spread 50 %).")) << noisy;
  const std::string steady = comparison_text(rows_of({entry_of_parts("openmp", 1, {0.02, 0.02})}), 120);
  EXPECT_FALSE(has(steady, "!")) << steady;
}

TEST(FiguresTest, PartsAreRowsOfTheirOwn) {
  const auto repeated = with(entry_of_parts("openmp", 1, {0.1}), [](RunEntry& e) {
    e.key.options = {"--repeat", "60"};
  });
  const auto rows = rows_of({entry_of_parts("openmp", 1, {0.01, 0.02}), entry_of_parts("openmp", 2, {0.04}), repeated,
                             entry("openmp", "fused", 1, {2.0})});
  ASSERT_EQ(rows.size(), 3u);  // however often a round repeats
  EXPECT_EQ(values_of(rows, "part"), (Cells{"copy", "triad", ""}));
  const Row& triad = rows[1];
  EXPECT_EQ(value_of(triad, "repeats"), "4");
  EXPECT_DOUBLE_EQ(triad.gb_per_s.maximum, 12.0);
  EXPECT_DOUBLE_EQ(triad.gb_per_s.median, 3.0);  // rounds of 0.015, 0.04 and 0.1 seconds
  EXPECT_DOUBLE_EQ(triad.rate->median, 3.0);
  EXPECT_EQ(value_of(triad, "moved_gb_per_s"), "4");
  EXPECT_EQ(value_of(triad, "deviations"), "{\"triad\":2e-07}");
  EXPECT_EQ(value_of(triad, "bytes_per_update") + ' ' + value_of(triad, "flop_per_byte"), "12 ");
  EXPECT_EQ(value_of(triad, "case") + ' ' + value_of(triad, "nx") + ' ' + value_of(triad, "ny"), "10000000 10000000 ");
}

TEST(FiguresTest, PartsAreHeldAgainstTheRoofInBytesThatMove) {
  Results results;
  results.entries = {entry_of_parts("openmp", 1, {0.01})};  // copy moves 12 GB/s, triad 16
  results.peaks.emplace();
  results.peaks->processor.cores = 2;
  results.peaks->processor.bandwidths = {{"DRAM", "copy", 2, {10, 10, 10}}};
  results.peaks->processor.computes = {{"f32", true, 2, 256, {100, 100, 100}, {}, {}}};
  const auto rows = make_rows(results);
  EXPECT_EQ(values_of(rows, "roof_gb_per_s"), (Cells{"15", "15"}));
  EXPECT_EQ(values_of(rows, "verdict"), (Cells{"DRAM, 80 %", "DRAM, 107 %: count or roof wrong"}));
  EXPECT_EQ(value_of(rows[0], "level_gb_per_s") + ' ' + value_of(rows[0], "level_bytes_per_update"), "12 12");
  EXPECT_TRUE(has(value_of(rows[1], "notes"), "107 % of the 0.01 s measured: the count or the roof is wrong"));
  EXPECT_EQ(value_of(rows[1], "peaks_of"), "processor");
}

TEST(FiguresTest, RunsAreHeldAgainstTheRoofOfTheirMixOfReadsAndWrites) {
  const auto moving = [](const char* variant, const Traffic& traffic) {
    return with(entry("openmp", variant, 1, {1.0}), [&](RunEntry& e) { e.record->work.traffic = traffic; });
  };
  Results results;
  results.entries = {moving("fused", {{"data", 7.2e6, 108.0}}), moving("in-place", {{"grid", 3.6e6, 72.0}}),
                     moving("past caches", {{"data", 7.2e6, 72.0}}),
                     moving("swept", {{"grid", 3.6e6, 36.0}, {"window", 3e6, 36.0}}),
                     entry_of_parts("openmp", 1, {0.1})};
  results.entries.back().record->parts.push_back({"dot", 80e6, 80e6, 20e6, {0.1}});
  results.peaks.emplace().processor.cores = 2;
  results.peaks->processor.bandwidths = {
      {"DRAM", "read", 2, {10, 10, 10}}, {"DRAM", "copy", 2, {12, 12, 12}}, {"DRAM", "update", 2, {25, 25, 25}}};
  EXPECT_EQ(values_of(make_rows(results), "roof_gb_per_s"), (Cells{"18", "25", "25", "25", "18", "18", "10"}));
  results.peaks->processor.bandwidths.pop_back();
  EXPECT_EQ(values_of(make_rows(results), "roof_gb_per_s"), (Cells{"18", "18", "18", "18", "18", "18", "10"}))
      << "peaks without an update";
}

TEST(FiguresTest, ANoisyRoofIsSaidOnceAndEveryShareIsAnInterval) {
  Results results;
  results.entries = {entry("serial", "fused", 1, {2.0}), entry("openmp", "fused", 1, {1.0})};
  const auto add_traffic = [](RunEntry& one) {
    one.record->work.traffic = {{"data", 1e9, 4.5e9 / one.record->work.updates}};
  };
  std::ranges::for_each(results.entries, add_traffic);
  Peaks& peaks = results.peaks.emplace();
  peaks.processor.name = "processor";
  peaks.processor.cores = 2;
  peaks.processor.bandwidths = {{"DRAM", "copy", 2, {10, 10, 10}}};
  judge_roofs({{{"DRAM on 2 cores", 10.0}}, {{"DRAM on 2 cores", 5.0}}}, peaks);
  const auto rows = make_rows(results);
  EXPECT_EQ(values_of(rows, "verdict"), (Cells{"latency or code, 15 to 30 % of DRAM", "DRAM, 30 to 60 %"}));
  EXPECT_EQ(value_of(rows[1], "share_of_bound_max").substr(0, 3), "0.6");
  EXPECT_EQ(values_of(rows, "roof_gb_per_s_min"), (Cells{"7.5", "7.5"}));
  for (const std::string& text : {comparison_text(rows, 100), matrix_text(rows, View::best, 100, 20)})
    EXPECT_EQ(count_of(text, "Noisy roofs"), 1) << text;
  EXPECT_TRUE(has(matrix_text(rows, View::best, 100, 20), "100/30\u201360"));
  EXPECT_TRUE(has(overview(results, rows)["conditions"].back(), "DRAM on 2 cores 7.50 to 15.0 GB/s (of 2 probes"));
  const auto of_peaks = make_peak_rows(peaks);
  EXPECT_EQ(of_peaks.back()["text"], peaks.processor.notes.back());
  EXPECT_EQ((*std::ranges::find(of_peaks, "bandwidth", [](const PeakRow& row) { return row["kind"]; }))["slow"], 7.5);
  add_traffic(results.entries[1] = entry("openmp", "fused", 1, {0.5}));
  EXPECT_EQ(count_of(matrix_text(make_rows(results), View::best, 100, 20), "100/60\u2013>100"), 1);
}

TEST(FiguresTest, ARateAboveTenTimesItsRoofIsAnError) {
  // 72 MB and 100 MFLOP in all ten steps, 7.2 MB of data.
  const auto fast = [](const char* variant, double seconds, std::int64_t steps_per_launch) {
    return with(entry("openmp", variant, 1, {1.0, seconds}), [=](RunEntry& e) {
      e.record->work.steps_per_launch = steps_per_launch;
      e.record->work.traffic.clear();  // as records of before
    });
  };
  Results results;
  results.entries = {fast("fused", 3e-4, 1), fast("swap", 8e-4, 1), fast("sweeps", 2e-4, 10), fast("nothing", 8e-5, 10),
                     entry_of_parts("openmp", 1, {0.1, 0.0005})};
  results.peaks.emplace();
  results.peaks->processor.cores = 2;
  results.peaks->processor.bandwidths = {{"DRAM", "copy", 2, {10, 10, 10}}};
  results.peaks->processor.computes = {{"f32", true, 2, 256, {100, 100, 100}, {}, {}}};
  const auto rows = make_rows(results);
  EXPECT_EQ(values_of(rows, "status"), (Cells{"wrong", "ok", "ok", "wrong", "wrong", "wrong"}));
  const std::string why = ": it cannot have done all its work";
  EXPECT_EQ(value_of(rows[0], "reason"),
            "0.072 GB through DRAM at 15 GB/s (copy) take 0.0048 s, but the run took 0.0003 s" + why);
  EXPECT_EQ(value_of(rows[3], "reason"),
            "0.1 GFLOP in f32 at 100 GFLOP/s take 0.001 s, but the run took 8e-05 s" + why);
  EXPECT_EQ(value_of(rows[4], "reason"),
            "copy: 0.12 GB through DRAM at 15 GB/s (copy) take 0.008 s, but the run took 0.0005 s" + why);
  EXPECT_EQ(values_of(rows, "best_of_model"), (Cells{"false", "false", "true", "false", "false", "false"}));
  // Peaks of a busy machine: the best of their repetitions counts, by any pattern.
  results.peaks->processor.bandwidths.push_back({"DRAM", "read", 1, {0.1, 0.001, 13}});
  EXPECT_EQ(value_of(make_rows(results)[0], "status"), "ok");
  results.peaks->processor.bandwidths.pop_back();
  // Data that a cache holds in part can be as fast as there.
  results.peaks->processor.caches = {{"L3", 4'000'000, 1, 2}};
  results.peaks->processor.bandwidths.push_back({"L3", "copy", 2, {30, 30, 30}});
  EXPECT_EQ(value_of(make_rows(results)[0], "status"), "ok");
}

TEST(FiguresTest, TakesSettingsAndHalosFromTheRecord) {
  const auto rows = rows_of({with(entry("mpi", "fused", 1, {1.0, 2.0}), [](RunEntry& e) {
    e.key.work_group = "32x4";
    e.key.options = {"--local", "opencl", "--repeat", "3"};
    e.record->settings = {{"halo_seconds", 0.5}, {"halo_seconds_most", 1.0}, {"tuned", {{"delay", "200"}, {"x", ""}}}};
  })});
  EXPECT_EQ(value_of(rows[0], "setting"), "32x4 --local opencl");
  EXPECT_EQ(value_of(rows[0], "tuned"), "delay 200, x");
  EXPECT_EQ(value_of(rows[0], "options"), "[\"--local\",\"opencl\",\"--repeat\",\"3\"]");
  EXPECT_EQ(value_of(rows[0], "halo_share") + ' ' + value_of(rows[0], "halo_share_most"), "0.25 0.5");
}

TEST(ComparisonTextTest, FitsTheTerminal) {
  auto slow =
      with(failed("mpi", "fused", 2, RunStatus::timeout), [](RunEntry& e) { e.reason = std::string(150, 'x'); });
  std::vector<RunEntry> entries = {entry("serial", "textbook", 1, {8.0}), entry("serial", "fused", 1, {4.0}), slow,
                                   with(entry("openmp_target", "a-very-long-name-of-a-variant", 1, {0.0123456, 1.0}),
                                        [](RunEntry& e) {
                                          e.record->device = "Some Device With A Long Name";
                                          e.record->settings["tuned"] = {{"delay", "200"}};
                                          e.key.options = {"--local", "opencl", "--storage", "f16"};
                                          e.key.ranks = e.record->ranks = 128;
                                        }),
                                   entry_of_parts("openmp_target", 1, {0.01})};
  for (const int width : {80, 100, 120}) {
    const std::string text = comparison_text(rows_of(entries), width);
    for (const std::string& line : split(text, '\n'))
      if (!has(line, std::string(150, 'x'))) {
        EXPECT_LE(display_width(line), width) << line;
      }
    for (const char* part : {"lbm p (1000 x 100), 10 steps, f32", "textbook", "Timeout (round 2)", "Tuned options were",
                             "stream: GB/s at the median", "triad", "Machine: h, c, s, 2 cores"})
      EXPECT_TRUE(has(text, part)) << part << '\n' << text;
  }
}

}  // namespace
}  // namespace boltzmark
