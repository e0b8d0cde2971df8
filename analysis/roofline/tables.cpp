#include "analysis/roofline/tables.hpp"

#include <fmt/format.h>

#include "analysis/roofline/figures.hpp"
#include "analysis/roofline/words.hpp"
#include "analysis/support/json.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/ranges.hpp"
#include "common/base/text.hpp"

namespace boltzmark {

using nlohmann::json;

bool TableColumn::is_number() const { return form == "percent" || parse_number<int>(form).has_value(); }

std::string TableColumn::text(const json& value) const {
  if (value.is_null() || value == "") return "\u2013";
  if (form == "percent" && value.is_number()) return percent(value.get<double>());
  if (is_number() && value.is_number()) return significant(value.get<double>(), parse_number<int>(form).value());
  const std::string words = csv_text(value);
  if (form == "model") return model_words(words);
  if (form == "problem") return problem_words(words);
  return form == "device" ? device_text(words) : words;
}

std::string TableData::text(int width) const {
  Table table(each(columns, [](const TableColumn& column) {
    const bool shrinks = !column.is_number() || !column.note.empty();
    return Column{column.header, column.is_number() ? Align::right : Align::left, shrinks};
  }));
  for (const json& row : rows)
    table.add_row(each(columns, [&row](const TableColumn& column) {
      const std::string note = text_in(row, column.note.c_str());
      return column.text(row.value(column.key, json())) + (note.empty() ? "" : " (" + note + ')');
    }));
  std::string all = title + "\n\n" + table.text(width) + '\n' + wrapped(caption, width);
  for (const std::string& note : notes) all += wrapped(one_line("- " + note), width, 2);
  return all;
}

void to_json(json& to, const TableData& from) {
  to = {{"id", from.id},       {"title", from.title},     {"caption", from.caption}, {"columns", json::array()},
        {"notes", from.notes}, {"filters", from.filters}, {"rows", from.rows}};
  for (const TableColumn& column : from.columns)
    to["columns"].push_back({{"key", column.key},
                             {"header", column.header},
                             {"note", column.note},
                             {"is_wide", column.is_wide},
                             {"is_number", column.is_number()},
                             {"texts", each(from.rows, [&column](const json& row) {
                                return column.text(row.value(column.key, json()));
                              })}});
}

void write_tables(const json& tables, const fs::path& folder) {
  write_whole(folder / tables_file, json_line(tables) + '\n');
}

}  // namespace boltzmark
