#include "analysis/roofline/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "analysis/roofline/figures.hpp"
#include "analysis/roofline/words.hpp"
#include "analysis/support/json.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/ranges.hpp"
#include "common/base/text.hpp"

namespace boltzmark {

bool TableColumn::is_number() const {
  return contains({"percent", "tenths", "whole", "grouped", "plain", "digits"}, form) ||
         parse_number<int>(form).has_value();
}

std::string TableColumn::text(const json& value) const {
  if (value.is_null() || value == "") return "\u2013";
  if (value.is_structured())
    return joined(value.items(), ", ",
                  [&](const auto& one) { return (value.is_object() ? one.key() + ": " : "") + text(one.value()); });
  if (is_number() && value.is_number()) {
    const auto number = value.get<double>();
    if (form == "percent") return percent(number);
    if (form == "tenths") return fmt::format("{:.1f}", 100.0 * number);
    if (form == "grouped") return grouped(number);
    if (form == "digits") return number > 15.9 ? "all" : fmt::format("{:.1f}", number);
    if (form == "plain") return plain_number(number);
    return form == "whole" ? fmt::format("{:.0f}", number) : significant(number, parse_number<int>(form).value());
  }
  const std::string words = csv_text(value);
  if (form == "model") return model_words(words);
  if (form == "problem") return problem_words(words);
  return form == "device" ? device_text(words) : words;
}

std::string filled(const std::string& pattern, const std::function<json(const std::string&)>& value_of) {
  std::string text;
  for (std::size_t at = 0; at < pattern.size();) {
    const auto open = pattern.find('{', at), close = pattern.find('}', open);
    text += pattern.substr(at, open - at);
    if (open == pattern.npos) break;
    const auto words = split(pattern.substr(open + 1, close - open - 1), ':');
    const json value = value_of(words[0]);
    if (value.is_null() || value == "" || (value.is_structured() && value.empty())) return "";
    text += TableColumn{words[0], "", words.size() > 1 ? words[1] : ""}.text(value);
    at = close + 1;
  }
  return text;
}

namespace {

/// A mark after the value, words in brackets.
std::string behind(const std::string& note) {
  if (note.empty() || note.starts_with('!')) return note;
  return note.starts_with("±") ? ' ' + note : " (" + note + ')';
}

}  // namespace

TableData& TableData::without(const Keys& keys) {
  std::erase_if(columns, [&keys](const TableColumn& column) { return contains(keys, column.key); });
  return *this;
}

TableData& TableData::without_empty() {
  std::erase_if(columns, [this](const TableColumn& column) {
    return std::ranges::all_of(rows, [&](const json& row) { return column.text_in(row) == "\u2013"; });
  });
  return *this;
}

TableData& TableData::without_constants(const Keys& keys) {
  std::erase_if(columns, [&](const TableColumn& column) {
    if (rows.size() < 2 || !contains(keys, column.key)) return false;
    const std::string first = column.text_in(rows.front());
    if (std::ranges::any_of(rows, [&](const json& row) { return column.text_in(row) != first; })) return false;
    if (first != "\u2013" && first != "right") title += ", " + first + (column.key == "steps" ? " steps" : "");
    return true;
  });
  return *this;
}

std::string TableData::body(int width) const {
  constexpr int widest_whole = 8, widest_note = 14;  // longer ones may be cut
  std::vector<Column> shown;
  std::vector<std::vector<Cell>> lines(rows.size());
  for (const TableColumn& column : columns) {
    shown.push_back({column.header, column.is_number() ? Align::right : Align::left, false, column.spare});
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::string text = column.text_in(rows[i]);
      const std::string note = behind(text_in(rows[i], column.note.c_str()));
      const bool is_long = column.is_number() ? display_width(note) > widest_note : display_width(text) > widest_whole;
      shown.back().shrinks |= is_long && column.spare >= 0;
      lines[i].push_back(text + note);
    }
  }
  Table table(shown);
  for (std::vector<Cell>& line : lines) table.add_row(std::move(line));
  return table.empty() ? "" : table.text(width);
}

std::string TableData::text(int width) const {
  std::string all = title + "\n\n" + body(width) + '\n' + wrapped(caption, width);
  for (const std::string& note : notes) all += wrapped(one_line("- " + note), width, 2);
  if (!source.empty()) all += wrapped("Published: " + source + '.', width);
  return all;
}

void to_json(json& to, const TableData& from) {
  to = {{"id", from.id},       {"title", from.title},     {"caption", from.caption}, {"columns", json::array()},
        {"notes", from.notes}, {"filters", from.filters}, {"rows", from.rows},       {"section", from.section},
        {"unit", from.unit},   {"source", from.source},   {"needs", from.needs}};
  for (const TableColumn& column : from.columns)
    to["columns"].push_back({{"key", column.key},
                             {"header", column.header},
                             {"note", column.note},
                             {"under", column.under},
                             {"is_wide", column.is_wide},
                             {"is_number", column.is_number()},
                             {"texts", each(from.rows, [&column](const json& row) { return column.text_in(row); })}});
}

std::vector<std::string> said_once(const std::vector<std::pair<std::string, std::string>>& words_and_row) {
  ByName<std::vector<std::string>> all;
  for (const auto& [words, row] : words_and_row)
    if (!words.empty()) add_once(all[words], row);
  return each(all, [](const auto& one) {
    std::string words = one.first;
    if (one.second.front().empty()) return words;
    words[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(words[0])));
    if (words.back() == '.') words.pop_back();
    return fmt::format("{}: {}.", words, join(one.second, ", "));
  });
}

void write_tables(const json& tables, const fs::path& folder) {
  write_whole(folder / tables_file, json_line(tables) + '\n');
}

}  // namespace boltzmark
