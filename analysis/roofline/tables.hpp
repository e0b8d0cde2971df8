// A table as data, made once: the terminal prints it, files and pages lay it out.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "common/base/files.hpp"

namespace boltzmark {

struct TableColumn {
  std::string key;     ///< of a row's value
  std::string header;  ///< newlines where it may break
  /// How the value is written: "" as it is; "4": a number with so many digits; "percent", "model", "problem", "device".
  std::string form = "";
  std::string note = "";  ///< key of what is said below the value
  bool is_wide = false;   ///< prose, which wraps

  bool is_number() const;
  /// An en dash where there is none.
  std::string text(const nlohmann::json& value) const;
};

struct TableData {
  std::string id, title, caption;
  std::vector<TableColumn> columns;
  std::vector<nlohmann::json> rows;  ///< objects of values
  std::vector<std::string> notes = {};
  std::vector<std::pair<std::string, std::string>> filters = {};  ///< label and key: by what a page chooses rows

  std::string text(int width) const;
};
/// Rows, and each column with the text of its cell in each of them.
void to_json(nlohmann::json& to, const TableData& from);

/// What a page is handed beside the files of figures: an object with "tables" and, of one machine, "overview".
inline constexpr const char* tables_file = "tables.json";
void write_tables(const nlohmann::json& tables, const std::filesystem::path& folder);

}  // namespace boltzmark
