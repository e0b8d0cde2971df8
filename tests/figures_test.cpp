// The one table of figures: what is read, which rows it makes, what is written of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "analysis/roofline/columns.hpp"
#include "analysis/roofline/comparison_text.hpp"
#include "analysis/roofline/figures_command.hpp"
#include "analysis/roofline/row_words.hpp"
#include "analysis/support/table.hpp"
#include "common/base/statistics.hpp"
#include "common/base/text.hpp"
#include "entries.hpp"
#include "programs.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;
using nlohmann::json;
using Cells = std::vector<std::string>;

std::vector<Row> rows_of(std::vector<RunEntry> entries) {
  Results results;
  results.entries = std::move(entries);
  return make_rows(results);
}

RunEntry with(RunEntry e, const std::function<void(RunEntry&)>& change) {
  change(e);
  return e;
}

RunEntry on_threads(RunEntry e, int threads) {
  e.key.threads = e.record->threads = threads;
  return e;
}

std::string value_of(const Row& row, const std::string& name) {
  for (const auto& column : figure_columns())
    if (column.name == name) return column.value(row);
  return "no such column";
}

Cells values_of(const std::vector<Row>& rows, const std::string& name) {
  Cells values;
  for (const Row& row : rows) values.push_back(value_of(row, name));
  return values;
}

/// Cells of a CSV file by RFC 4180.
std::vector<Cells> parsed(const std::string& csv) {
  std::vector<Cells> rows(1, Cells(1));
  bool quoted = false;
  for (std::size_t i = 0; i < csv.size(); ++i) {
    const char c = csv[i];
    if (c == '"' && quoted && csv[i + 1] == '"')
      rows.back().back() += csv[++i];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      rows.back().emplace_back();
    else if (c == '\n' && !quoted)
      rows.emplace_back(1);
    else
      rows.back().back() += c;
  }
  rows.pop_back();
  return rows;
}

TEST(FiguresTest, RoundsOfAConfigurationAreARow) {
  const auto rows = rows_of({entry("serial", "fused", 1, {2.0, 1.0}), entry("serial", "fused", 2, {4.0})});
  ASSERT_EQ(rows.size(), 1u);
  const Row& row = rows[0];
  EXPECT_EQ(value_of(row, "rounds") + value_of(row, "repeats"), "23");
  EXPECT_EQ(value_of(row, "seconds_median") + value_of(row, "seconds_min") + value_of(row, "seconds_max"),
            "214");
  EXPECT_EQ(value_of(row, "seconds"), "[2.0,1.0,4.0]");
  EXPECT_DOUBLE_EQ(row.rate->median, 0.5);  // a million updates in two seconds
  EXPECT_DOUBLE_EQ(row.rate->minimum, 0.25);
  EXPECT_DOUBLE_EQ(row.rate->maximum, 1.0);
  EXPECT_EQ(row.rate_unit, "MLUPS");
  EXPECT_DOUBLE_EQ(row.gb_per_s.median, 0.036);
  EXPECT_DOUBLE_EQ(row.gflop_per_s.median, 0.05);
  EXPECT_EQ(value_of(row, "conventional_gflop_per_s"), "0.061");
  EXPECT_EQ(value_of(row, "deviation"), "3e-06");
  EXPECT_EQ(value_of(row, "init_seconds") + value_of(row, "collate_seconds"), "0.50.25");
  EXPECT_EQ(value_of(row, "why"), "no peaks were measured");
  EXPECT_EQ(value_of(row, "notes"), "best far above its median: measure again");
}

TEST(FiguresTest, ARowIsAsGoodAsTheWorstOfItsRounds) {
  const auto rows =
      rows_of({entry("serial", "fused", 1, {2.0}), failed("serial", "fused", 2, RunStatus::timeout),
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

TEST(FiguresTest, ADeviceThatWasNamedAndOneThatWasFoundAreTheSame) {
  const auto asked = with(entry("opencl", "fused", 1, {2.0}), [](RunEntry& e) { e.key.device = "gpu"; });
  const auto lost =
      with(failed("opencl", "fused", 2, RunStatus::failed), [](RunEntry& e) { e.key.device = "gpu"; });
  EXPECT_EQ(rows_of({asked, entry("opencl", "fused", 1, {2.0}), lost}).size(), 1u);
}

TEST(FiguresTest, SpeedUpsAreOverTheRolesOfSerial) {
  const auto rows =
      rows_of({entry("serial", "textbook", 1, {8.0}), entry("serial", "fused", 1, {4.0}),
               entry("openmp", "fused", 1, {1.0, 2.0, 4.0}),
               with(entry("mpi", "fused", 1, {1.0}), [](RunEntry& e) { e.status = RunStatus::wrong; }),
               with(entry("openmp", "fused", 1, {1.0}),
                    [](RunEntry& e) { e.key.case_ = e.record->case_.digest = "another"; })});
  EXPECT_EQ(values_of(rows, "speed_up_over_textbook"), (Cells{"1", "2", "4", "", ""}));
  EXPECT_EQ(values_of(rows, "speed_up_over_like_for_like"), (Cells{"0.5", "1", "2", "", ""}));
  EXPECT_EQ(value_of(rows[2], "speed_up_over_textbook_min"), "2");
  EXPECT_EQ(value_of(rows[2], "speed_up_over_textbook_max"), "8");
  EXPECT_EQ(values_of(rows, "best_of_model"), (Cells{"false", "true", "true", "false", "true"}));
}

TEST(FiguresTest, ASpeedUpHasTheIntervalsOfBothMedians) {
  const auto rows =
      rows_of({entry("serial", "textbook", 1, {7.0, 8.0, 10.0}),
               entry("openmp", "fused", 1, {1.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.5, 9.0})});
  // Of ten values the second and the ninth: 2 x 1.07 % are beyond them, 2 x 5.5 % beyond the third and eighth.
  EXPECT_EQ(value_of(rows[1], "seconds_low") + ' ' + value_of(rows[1], "seconds_high"), "2 2.5");
  EXPECT_EQ(value_of(rows[0], "seconds_low") + ' ' + value_of(rows[0], "seconds_high"), "7 10");
  EXPECT_EQ(value_of(rows[1], "speed_up_over_textbook"), "4");
  EXPECT_EQ(value_of(rows[1], "speed_up_over_textbook_min"), "2.8");
  EXPECT_EQ(value_of(rows[1], "speed_up_over_textbook_max"), "5");
  EXPECT_EQ(value_of(rows[1], "notes"), "best far above its median: measure again");
}

TEST(FiguresTest, TheIntervalOfAMedianIsThatOfTheTables) {
  // Conover, table A3, p = 0.5: ranks for 95 %.
  for (const auto& [count, rank] : std::vector<std::pair<int, int>>{
           {1, 1}, {5, 1}, {6, 1}, {8, 1}, {9, 2}, {15, 4}, {25, 8}, {50, 18}, {100, 40}, {10000, 4902}}) {
    std::vector<double> values;
    for (int i = count; i > 0; --i) values.push_back(i);
    const Interval interval = median_interval(values);
    EXPECT_EQ(interval.low, rank) << count;
    EXPECT_EQ(interval.high, count + 1 - rank) << count;
  }
}

TEST(FiguresTest, ALuckyExecutionIsMarkedWhereItStands) {
  auto lucky = entry_of_parts("openmp", 1, {0.01, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02});
  const std::string text = comparison_text(rows_of({lucky}), 120);
  EXPECT_TRUE(has(text, "4.00 ±0%!")) << text;  // copy: 80 MB in 0.02 s, not in 0.01 s
  EXPECT_TRUE(has(text, "6.00 ±0%!")) << text;  // triad
  EXPECT_TRUE(has(text, "copy: best far above its median: measure again")) << text;
  EXPECT_TRUE(has(comparison_text(rows_of({entry("serial", "fused", 1, {1.0, 2.0, 2.0})}), 120), " 2.000! "));
  const std::string steady = comparison_text(rows_of({entry_of_parts("openmp", 1, {0.02, 0.02})}), 120);
  EXPECT_FALSE(has(steady, "!")) << steady;
}

TEST(FiguresTest, ARoofThatIsNotSteadyIsSaidOfItsRows) {
  Results results;
  results.entries = {entry_of_parts("openmp", 1, {0.02})};
  results.peaks.emplace();
  results.peaks->processor.cores = 2;
  results.peaks->processor.bandwidths = {{"DRAM", "copy", 2, {10, 8, 13}}};
  results.peaks->processor.computes = {{"f32", true, 2, 256, {100, 100, 100}, {}, {}}};
  const std::string note = "best of its roof far above the roof's median: measure the peaks again";
  EXPECT_EQ(values_of(make_rows(results), "notes"), (Cells{note, note}));
}

TEST(FiguresTest, ScalesOverTheWorkersOfALine) {
  const auto rows = rows_of({on_threads(entry("openmp", "fused", 1, {4.0}), 1),
                             on_threads(entry("openmp", "fused", 1, {2.5}), 2),
                             on_threads(entry("openmp", "fused", 1, {1.0}), 8),
                             on_threads(entry("openmp", "in-place", 1, {1.0}), 8)});
  EXPECT_EQ(values_of(rows, "strong_speed_up"), (Cells{"1", "1.6", "4", ""}));
  EXPECT_EQ(values_of(rows, "strong_efficiency"), (Cells{"1", "0.8", "0.5", ""}));
  EXPECT_EQ(values_of(rows, "workers_unit"), (Cells{"threads", "threads", "threads", ""}));
}

TEST(FiguresTest, TheSlowestAxisGrowsWithTheWorkersInWeakScaling) {
  const auto box = [](int ranks, double seconds) {
    return with(entry("mpi", "fused", 1, {seconds}), [ranks](RunEntry& e) {
      Record& r = *e.record;
      e.key.ranks = r.ranks = ranks;
      r.threads = 1;
      r.case_ = {
          fmt::format("box_256x{}", 64 * ranks), fmt::format("digest{}", ranks), {256, 64 * ranks}, {}};
      r.work.updates = 1e6 * ranks;
    });
  };
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
  const auto rows =
      rows_of({of("gcc", "fused", 2.0), of("clang", "fused", 1.0), of("clang", "in-place", 1.0)});
  EXPECT_EQ(values_of(rows, "speed_up_over_build"), (Cells{"1", "2", ""}));
  EXPECT_EQ(values_of(rows, "setting"), (Cells{"gcc", "clang", "clang"}));
}

TEST(FiguresTest, PartsAreRowsOfTheirOwn) {
  const auto repeated = with(entry_of_parts("openmp", 1, {0.1}), [](RunEntry& e) {
    e.key.options = {"--repeat", "60"};
  });
  const auto rows = rows_of({entry_of_parts("openmp", 1, {0.01, 0.02}), entry_of_parts("openmp", 2, {0.04}),
                             repeated, entry("openmp", "fused", 1, {2.0})});
  ASSERT_EQ(rows.size(), 3u);  // however often a round repeats
  EXPECT_EQ(values_of(rows, "part"), (Cells{"copy", "triad", ""}));
  const Row& triad = rows[1];
  EXPECT_EQ(value_of(triad, "repeats"), "4");
  EXPECT_DOUBLE_EQ(triad.gb_per_s.maximum, 12.0);
  EXPECT_DOUBLE_EQ(triad.gb_per_s.median, 4.0);
  EXPECT_DOUBLE_EQ(triad.rate->median, 4.0);
  EXPECT_EQ(value_of(triad, "moved_gb_per_s").substr(0, 5), "5.333");
  EXPECT_EQ(value_of(triad, "deviations"), "{\"triad\":2e-07}");
  EXPECT_EQ(value_of(triad, "bytes_per_update") + ' ' + value_of(triad, "flop_per_byte").substr(0, 6),
            "12 0.1666");
  EXPECT_EQ(value_of(triad, "case") + ' ' + value_of(triad, "nx") + ' ' + value_of(triad, "ny"),
            "10000000 10000000 ");
  EXPECT_DOUBLE_EQ(*rows[2].triad_gb_per_s, triad.gb_per_s.median);  // not one lucky execution
  EXPECT_EQ(value_of(rows[2], "share_of_stream_triad").substr(0, 4), "0.00");
}

TEST(FiguresTest, SaysWhatIsAboveTheRoofForNoReason) {
  Results results;
  results.entries = {entry_of_parts("openmp", 1, {0.01})};  // triad 12 GB/s, copy 8
  results.peaks.emplace();
  results.peaks->processor.cores = 2;
  results.peaks->processor.bandwidths = {{"DRAM", "copy", 2, {10, 10, 10}}};
  results.peaks->processor.computes = {{"f32", true, 2, 256, {100, 100, 100}, {}, {}}};
  auto rows = make_rows(results);
  EXPECT_EQ(values_of(rows, "notes"), (Cells{"", "above the roof and nothing explains it: measure again"}));
  EXPECT_EQ(values_of(rows, "roof_gb_per_s"), (Cells{"10", "10"}));
  EXPECT_EQ(value_of(rows[1], "share_of_roof"), "1.2");
  EXPECT_EQ(value_of(rows[1], "peaks_of"), "processor");
  results.peaks->processor.bandwidths.push_back({"DRAM", "read", 2, {14, 14, 14}});
  rows = make_rows(results);
  EXPECT_EQ(value_of(rows[1], "notes"), "");
  EXPECT_TRUE(has(value_of(rows[1], "why"), "other patterns reach 14 GB/s"));
}

TEST(FiguresTest, TakesSettingsAndHalosFromTheRecord) {
  const auto rows = rows_of({with(entry("mpi", "fused", 1, {1.0, 2.0}), [](RunEntry& e) {
    e.key.work_group = "32x4";
    e.key.options = {"--local", "opencl", "--repeat", "3"};
    e.record->settings = {
        {"halo_seconds", 0.5}, {"halo_seconds_most", 1.0}, {"tuned", {{"delay", "200"}, {"x", ""}}}};
  })});
  EXPECT_EQ(value_of(rows[0], "setting"), "32x4 --local opencl");
  EXPECT_EQ(value_of(rows[0], "tuned"), "delay 200, x");
  EXPECT_EQ(value_of(rows[0], "options"), "[\"--local\",\"opencl\",\"--repeat\",\"3\"]");
  EXPECT_EQ(value_of(rows[0], "halo_share") + ' ' + value_of(rows[0], "halo_share_most"), "0.25 0.5");
}

TEST(ColumnsTest, EveryColumnIsDescribedAndOnce) {
  const std::string text = describe_columns(100);
  std::set<std::string> names;
  const auto look_at = [&](const auto& columns) {
    names.clear();
    for (const auto& column : columns) {
      EXPECT_TRUE(names.insert(column.name).second) << column.name;
      EXPECT_FALSE(std::string(column.meaning).empty()) << column.name;
      EXPECT_TRUE(has(text, fmt::format("\n{}", column.name))) << column.name;
    }
  };
  look_at(figure_columns());
  look_at(peak_columns());
}

TEST(ColumnsTest, WritesWhateverStandsInARow) {
  const auto rows = rows_of({with(entry("openmp", "fused", 1, {1.0}), [](RunEntry& e) {
    e.record->device = "a \"GPU\", <b>fast</b>\nand \\LaTeX{} \xff";
    e.record->metrics[0].value.reset();
    e.record->check.deviations[1].value.reset();
  })});
  const auto cells = parsed(csv_of(figure_columns(), rows));
  ASSERT_EQ(cells.size(), 2u);
  ASSERT_EQ(cells[1].size(), figure_columns().size());
  for (std::size_t c = 0; c < cells[0].size(); ++c) {
    EXPECT_EQ(cells[0][c], figure_columns()[c].name);
    if (cells[0][c] == "device") {
      EXPECT_EQ(cells[1][c], "a \"GPU\", <b>fast</b>?and \\LaTeX{} \xEF\xBF\xBD");
    }
    if (cells[0][c] == "rate" || cells[0][c] == "deviation") {
      EXPECT_EQ(cells[1][c], "");
    }
    if (std::string(figure_columns()[c].unit) == "JSON") {
      EXPECT_NO_THROW(json::parse(cells[1][c])) << cells[0][c];
    }
  }
}

TEST(PeakRowsTest, SayWhatIsDrawn) {
  Peaks peaks;
  peaks.host = "h";
  peaks.processor.name = "p";
  peaks.processor.cores = 4;
  peaks.processor.memory_bytes = 1 << 30;
  peaks.processor.caches = {{"L1", 32 << 10, 4, 1}};
  peaks.processor.bandwidths = {{"L1", "copy", 1, {9, 8, 10}}, {"L1", "copy", 4, {36, 32, 40}, 1, 2}};
  peaks.processor.computes = {{"f32", true, 4, 128, {1, 1, 1}, {}, {}},
                              {"f32", true, 4, 512, {4, 4, 4}, 3.0, {}}};
  peaks.devices.resize(1);
  peaks.devices[0].name = "g";
  peaks.devices[0].notes = {"no copies"};
  const auto rows = make_peak_rows(peaks);
  std::string drawn;
  for (const PeakRow& row : rows)
    if (row.is_roof) drawn += fmt::format("{} {} {};", row.kind, row.level, row.value->median);
  EXPECT_EQ(drawn, "bandwidth L1 36;compute  4;");
  EXPECT_EQ(rows.back().text, "no copies");
  for (const PeakRow& row : rows) EXPECT_FALSE(row.kind == "launch");  // zeros: not measured
  EXPECT_EQ(parsed(csv_of(peak_columns(), rows)).size(), rows.size() + 1);
}

TEST(ComparisonTextTest, FitsTheTerminal) {
  auto slow = with(failed("mpi", "fused", 2, RunStatus::timeout),
                   [](RunEntry& e) { e.reason = std::string(150, 'x'); });
  std::vector<RunEntry> entries = {
      entry("serial", "textbook", 1, {8.0}), entry("serial", "fused", 1, {4.0}), slow,
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
    for (const char* part :
         {"lbm p (1000 x 100), 10 steps, f32", "textbook", "timeout (round 2)", "tuned options were",
          "stream: GB/s at the median", "triad", "Machine: h, c, s, 2 cores"})
      EXPECT_TRUE(has(text, part)) << part << '\n' << text;
  }
}

class ResultsTest : public ::testing::Test {
 protected:
  void add(const json& line) { text_ += line.dump() + '\n'; }
  Results read() {
    write_text(folder_ / "runs.jsonl", text_);
    return read_results(folder_.path);
  }

  TemporaryFolder folder_;
  std::string text_;
};

TEST_F(ResultsTest, ALineThatCannotBeUsedIsNamedAndTheRestIs) {
  const json good = entry("serial", "fused", 1, {2.0}).to_json();
  const auto changed = [&](const char* pointer, const json& value) {
    json line = good;
    line[json::json_pointer(pointer)] = value;
    return line;
  };
  add(good);
  add(changed("/record/format", 99));
  add(changed("/record/repeats/0/compute_seconds", 0.0));
  add(changed("/record/work/bytes_per_update", nullptr));
  add(changed("/format", 1));
  text_ += "what is this\n";
  add(changed("/record/repeats", json::array()));
  add(changed("/record/metrics", json::array()));
  add(changed("/record/settings", 7));
  text_ += good.dump().substr(0, 50);
  write_text(folder_ / "peaks.json", "{");
  const Results results = read();
  EXPECT_EQ(results.entries.size(), 1u);
  ASSERT_EQ(results.complaints.size(), 10u) << fmt::format("{}", fmt::join(results.complaints, "\n"));
  for (int line = 2; line <= 10; ++line) {
    const std::string place = fmt::format("{}:{}:", (folder_ / "runs.jsonl").string(), line);
    EXPECT_EQ(std::count_if(results.complaints.begin(), results.complaints.end(),
                            [&](const std::string& complaint) { return has(complaint, place); }),
              1)
        << place;
  }
  EXPECT_TRUE(has(results.complaints.back(), "peaks.json"));
  EXPECT_EQ(make_rows(results).size(), 1u);
}

TEST_F(ResultsTest, NothingButTextReachesTablesAndPages) {
  add(with(entry("opencl", "fused", 1, {2.0}), [](RunEntry& e) {
        e.record->device = "a\x1b[31m\ndevice";
      }).to_json());
  const auto rows = make_rows(read());
  EXPECT_TRUE(has(comparison_text(rows, 120), "a?[31m?device"));
  EXPECT_TRUE(has(csv_of(figure_columns(), rows), ",a?[31m?device,"));
}

TEST_F(ResultsTest, TakesTheLatestBuildOfEachConfiguration) {
  const auto built = [](const char* program, double seconds) {
    return with(entry("serial", "fused", 1, {seconds}), [program](RunEntry& e) { e.key.program = program; })
        .to_json();
  };
  add(built("old", 2.0));
  add(entry("serial", "textbook", 1, {9.0}).to_json());
  add(built("new", 1.0));
  EXPECT_EQ(values_of(make_rows(read()), "seconds_median"), (Cells{"9", "1"}));
}

TEST_F(ResultsTest, ReadsRecordsByThemselves) {
  std::string lines;
  for (const char* storage : {"f32", "f16"})
    for (const bool asked : {false, true}) {
      Record record = *entry("opencl", "two-grid", 1, {0.5}).record;
      record.settings = {{"storage", storage}, {"delay", 200}};
      record.provenance.command =
          std::string("lbm-opencl") + (asked ? " --storage " + std::string(storage) : "") + " a";
      lines += json(record).dump() + '\n';
    }
  write_text(folder_ / "mine.jsonl", lines + "{}\n");
  const Results results = read_results(folder_ / "mine.jsonl");
  EXPECT_EQ(results.complaints.size(), 1u);
  EXPECT_EQ(values_of(make_rows(results), "setting"), (Cells{"", "--storage f32", "--storage f16"}));
}

TEST_F(ResultsTest, NothingToReportOnIsBadInput) {
  EXPECT_TRUE(has(error_of([&] { read_results(folder_ / "nowhere"); }), "`boltzmark run` makes one"));
  text_ = "broken\n";
  EXPECT_TRUE(has(error_of([&] { read(); }), "none that can be read"));
}

TEST_F(ResultsTest, FiguresAreWrittenWhole) {
  add(entry("serial", "fused", 1, {2.0}).to_json());
  text_ += "broken \xff\n";
  write_text(folder_ / "runs.jsonl", text_);
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(write_figures(folder_.path, folder_ / "out").size(), 1u);
  EXPECT_EQ(count_of(::testing::internal::GetCapturedStderr(), "\n"), 1);
  EXPECT_EQ(parsed(read_text(folder_ / "out/figures.csv")).size(), 2u);
  EXPECT_EQ(parsed(read_text(folder_ / "out/peaks.csv")).size(), 1u);
  EXPECT_TRUE(has(read_text(folder_ / "out/complaints.txt"), "runs.jsonl:2: expected a finished run"));
}

}  // namespace
}  // namespace boltzmark
