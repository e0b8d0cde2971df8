// The sources of the table of figures, and the files written from it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "analysis/roofline/figures.hpp"
#include "analysis/roofline/run_tables.hpp"
#include "analysis/roofline/words.hpp"
#include "analysis/support/json.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/text.hpp"
#include "figure_rows.hpp"
#include "programs.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;
using nlohmann::json;

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

TEST(ColumnsTest, EveryColumnIsDescribedAndOnce) {
  const std::string text = described(figure_files(), 100);
  std::set<std::string> names;
  const auto look_at = [&](const auto& columns) {
    names.clear();
    for (const auto& column : columns) {
      EXPECT_TRUE(names.insert(column.name).second) << column.name;
      EXPECT_FALSE(column.meaning.empty()) << column.name;
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
    const ColumnType type = figure_columns()[c].type;
    EXPECT_NE(has(figure_columns()[c].description, " (JSON): "),
              type != ColumnType::list && type != ColumnType::object);
    if (type == ColumnType::number && !cells[1][c].empty()) {
      EXPECT_TRUE(parse_number<double>(cells[1][c])) << cells[0][c];
    }
    if (has(figure_columns()[c].description, " (JSON): ")) {
      EXPECT_NO_THROW((void)json::parse(cells[1][c])) << cells[0][c];
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
  peaks.processor.computes = {{"f32", true, 4, 128, {1, 1, 1}, {}, {}}, {"f32", true, 4, 512, {4, 4, 4}, 3.0, {}}};
  peaks.devices.resize(1);
  peaks.devices[0].name = "g";
  peaks.devices[0].notes = {"no copies"};
  const auto rows = make_peak_rows(peaks);
  std::string drawn;
  for (const PeakRow& row : rows)
    if (row.at("is_roof"))
      drawn += fmt::format("{} {} {};", text_in(row, "kind"), text_in(row, "level"), *number_in(row, "median"));
  EXPECT_EQ(drawn, "bandwidth L1 36;compute  4;");
  EXPECT_EQ(rows.back().at("text"), "no copies");
  for (const PeakRow& row : rows) EXPECT_FALSE(row.at("kind") == "launch");  // zeros: not measured
  EXPECT_EQ(parsed(csv_of(peak_columns(), rows)).size(), rows.size() + 1);
  EXPECT_EQ(csv_of(peak_columns(), rows).find('{'), std::string::npos) << "a spread where a number belongs";
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
  add(changed("/record/repeats/0/compute_seconds", 0.0));
  add(changed("/record/work/bytes_per_update", nullptr));
  text_ += "what is this\n";
  add(changed("/record/repeats", json::array()));
  add(changed("/record/metrics", json::array()));
  add(changed("/record/settings", 7));
  add(changed("/record/metrics/0/value", 1e12));
  add(changed("/record/ranks", -5));
  add(changed("/record/threads", 2147483647));
  text_ += good.dump().substr(0, 50);
  write_text(folder_ / "peaks.json", "{");
  const Results results = read();
  EXPECT_EQ(results.entries.size(), 1u);
  ASSERT_EQ(results.complaints.size(), 11u) << fmt::format("{}", fmt::join(results.complaints, "\n"));
  for (int line = 2; line <= 11; ++line) {
    const std::string place = fmt::format("{}:{}:", (folder_ / "runs.jsonl").string(), line);
    EXPECT_EQ(std::count_if(results.complaints.begin(), results.complaints.end(),
                            [&](const std::string& complaint) { return has(complaint, place); }),
              1)
        << place;
  }
  EXPECT_TRUE(has(results.complaints.back(), "peaks.json"));
  EXPECT_EQ(make_rows(results).size(), 1u);
  write_text(folder_ / "peaks.json", "function,num_times,n_elements\n");
  EXPECT_TRUE(has(read().complaints.back(),
                  "peaks.json: expected measured peaks, found BabelStream's CSV; figures are without"));
}

TEST_F(ResultsTest, NothingButTextReachesTablesAndPages) {
  add(with(entry("opencl", "fused", 1, {2.0}), [](RunEntry& e) { e.record->device = "a\x1b[31m\ndevice"; }).to_json());
  const auto rows = make_rows(read());
  EXPECT_TRUE(has(comparison_text(rows, 120), "a?[31m?device"));
  EXPECT_TRUE(has(csv_of(figure_columns(), rows), ",a?[31m?device,"));
}

TEST_F(ResultsTest, TakesTheLatestBuildOfEachConfiguration) {
  const auto built = [](const char* program, double seconds) {
    return with(entry("serial", "fused", 1, {seconds}), [program](RunEntry& e) { e.key.program = program; }).to_json();
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
  EXPECT_TRUE(has(error_of([&] { read_results(folder_ / "nowhere"); }), "make one with `boltzmark run`"));
  text_ = "broken\n";
  EXPECT_TRUE(has(error_of([&] { read(); }), "none that can be read"));
}

TEST_F(ResultsTest, FiguresAreWrittenWhole) {
  add(entry("serial", "fused", 1, {2.0}).to_json());
  text_ += "broken \xff\n";
  write_text(folder_ / "runs.jsonl", text_);
  ::testing::internal::CaptureStderr();
  const Results results = read_results(folder_.path);
  const auto rows = make_rows(results);
  EXPECT_EQ(rows.size(), 1u);
  write_figures(results, rows, folder_ / "out");
  EXPECT_EQ(count_of(::testing::internal::GetCapturedStderr(), "\n"), 1);
  EXPECT_EQ(parsed(read_text(folder_ / "out/figures.csv")).size(), 2u);
  EXPECT_EQ(parsed(read_text(folder_ / "out/peaks.csv")).size(), 1u);
  EXPECT_TRUE(has(read_text(folder_ / "out/complaints.txt"), "runs.jsonl:2: expected a finished run"));
}

}  // namespace
}  // namespace boltzmark
