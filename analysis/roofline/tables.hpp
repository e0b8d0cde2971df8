// A table as data, made once: the terminal prints it, files and pages lay it out.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "common/base/files.hpp"

namespace boltzmark {

struct TableColumn {
  std::string key;     ///< of a row's value
  std::string header;  ///< newlines at possible breaks
  /// Format of the value: "" as it is; "4": a number with this many digits; "whole", "grouped", "plain", "percent",
  /// "tenths" (of a per cent), "model", "problem", "device". It applies to each element of a list or object.
  std::string form = "";
  std::string note = "";   ///< key of the text below the value
  bool is_wide = false;    ///< prose, which wraps
  std::string under = "";  ///< key of the column below whose values a page shows it, small
  int spare = 0;           ///< on a terminal, as Column::spare; below 0 it is not cut either

  bool is_number() const;
  /// An en dash if there is no value.
  std::string text(const nlohmann::json& value) const;
  std::string text_in(const nlohmann::json& row) const { return text(row.value(key, nlohmann::json())); }
};

using Keys = std::vector<std::string>;

struct TableData {
  std::string id, title, caption;
  std::vector<TableColumn> columns;
  std::vector<nlohmann::json> rows;  ///< objects of values; on a page also "id" and "details"
  std::vector<std::string> notes = {};
  std::vector<std::pair<std::string, std::string>> filters = {};  ///< label and key by which a page selects rows
  std::string section = "";                                       ///< its section of a page; "files": next to it only
  std::string unit = "row";                                       ///< name of a row
  std::string source = "";                                        ///< citation of published figures among its own
  std::string needs = "";  ///< key: a page leaves out rows without this value, where any row has it

  /// Without columns of these keys.
  TableData& without(const Keys& keys);
  /// Without columns that are empty in every row.
  TableData& without_empty();
  /// Without columns that are the same in every row; the title has their text instead.
  TableData& without_constants(const Keys& keys);
  /// The rows as they are read.
  std::string body(int width) const;
  std::string text(int width) const;
};
/// Rows, and each column with the text of its cell in each of them.
void to_json(nlohmann::json& to, const TableData& from);

/// "{case}, {elements:grouped} elements" with each name replaced by its value's text; "" if a value is missing.
std::string filled(const std::string& pattern, const std::function<nlohmann::json(const std::string&)>& value_of);

/// The same words once, with their subjects: "Words: a, b.".
std::vector<std::string> said_once(const std::vector<std::pair<std::string, std::string>>& words_and_row);

/// Data for a page in addition to the files of figures: an object with "tables" and, of one machine, "overview".
inline constexpr const char* tables_file = "tables.json";
void write_tables(const nlohmann::json& tables, const std::filesystem::path& folder);

}  // namespace boltzmark
