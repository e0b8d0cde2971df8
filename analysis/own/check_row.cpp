#include "analysis/own/check_row.hpp"

#include <fstream>
#include <set>

#include "analysis/roofline/columns.hpp"
#include "analysis/run/own_run.hpp"
#include "analysis/support/json.hpp"
#include "analysis/support/table.hpp"
#include "common/base/files.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

using nlohmann::json;

constexpr int check_format = 1;

/// Names of folders without where they lie, if they are then still distinct.
std::vector<std::string> short_names(const std::vector<CheckRow>& rows) {
  std::vector<std::string> whole, last;
  for (const CheckRow& row : rows) {
    whole.push_back(row.folder);
    last.push_back(fs::path(row.folder).filename().string());
  }
  const std::set<std::string> distinct(last.begin(), last.end());
  return distinct.size() == rows.size() && !distinct.contains("") ? last : whole;
}

}  // namespace

CheckFile::CheckFile(fs::path file) : file_(std::move(file)) {
  std::ifstream in(file_);
  for (std::string line; std::getline(in, line);) try {
      const json all = parse_json(line);
      if (all.at("format") == check_format) rows_.emplace_back(json_line(all.at("key")), all.at("row").get<CheckRow>());
    } catch (const std::exception&) {  // that folder is checked again
    }
}

const CheckRow* CheckFile::find(const json& key) const {
  const std::string text = json_line(key);
  const CheckRow* newest = nullptr;
  for (const auto& [of, row] : rows_)
    if (of == text) newest = &row;
  return newest;
}

void CheckFile::add(const json& key, const CheckRow& row) {
  append_line(file_, json_line({{"format", check_format}, {"key", key}, {"row", row}}));
  rows_.emplace_back(json_line(key), row);
}

std::string check_table(const std::vector<CheckRow>& rows, int width) {
  Table table({{"folder", Align::left, true},
               {"verdict"},
               {"largest\ndeviation", Align::right},
               {"where"},
               {"s", Align::right},
               {"x text-\nbook", Align::right},
               {"why, and what to know", Align::left, true}});
  const auto names = short_names(rows);
  for (const CheckRow& row : rows) {
    std::vector<std::string> words;
    for (const std::string& text : {row.reason, row.notes})
      if (!text.empty()) words.push_back(text);
    table.add_row({one_line(names[table.size()]), row.verdict, number_cell(row.deviation, 2), row.deviation_at,
                   number_cell(row.seconds, 4), number_cell(row.speed_up, 3), one_line(join(words, "; "))});
  }
  return table.text(width);
}

std::string check_csv(const std::vector<CheckRow>& rows) {
  using R = CheckRow;
  const auto if_above_zero = [](auto member) {
    return [member](const R& row) { return row.*member > 0 ? std::optional(row.*member) : std::nullopt; };
  };
  return csv_of<R>({{"folder", &R::folder},
                    {"kind", &R::kind},
                    {"case", &R::case_name},
                    {"steps", if_above_zero(&R::steps)},
                    {"verdict", &R::verdict},
                    {"right", [](const R& row) { return row.verdict == verdict::right; }},
                    {"deviation", &R::deviation},
                    {"deviation_at", &R::deviation_at},
                    {"tolerance", if_above_zero(&R::tolerance)},
                    {"seconds", &R::seconds},
                    {"wall_seconds", &R::wall_seconds},
                    {"speed_up_over_textbook", &R::speed_up},
                    {"reason", &R::reason},
                    {"notes", &R::notes}},
                   rows);
}

}  // namespace boltzmark
