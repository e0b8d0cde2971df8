// A table of the report, and the forms it is written in.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "analysis/support/table.hpp"

namespace boltzmark {

struct ReportTable {
  std::string id;               ///< "table-1", a file name without ending
  std::string title;            ///< "Table I. STREAM, OpenCL against OpenMP target"
  std::string caption;          ///< what is measured and how to read it: a sentence or two
  std::string source;           ///< of the published figures
  std::vector<Column> columns;  ///< headers with units
  std::vector<std::vector<Cell>> rows;
  std::vector<std::string> notes;  ///< what is missing and why, what was scaled

  /// Adds a note unless it is there.
  void note(const std::string& line);
};

/// A cell as it is read.
void to_json(nlohmann::json& json, const Cell& cell);

/// For a terminal so many columns wide: title, caption, table, notes and source.
std::string report_text(const ReportTable& table, int width = 120);
/// The same as Markdown, the title as a heading of the second level.
std::string report_markdown(const ReportTable& table);
/// The rows alone, numbers with nine digits, headers on one line.
std::string report_csv(const ReportTable& table);
/// A LaTeX table environment with caption, label tab:ID and notes; needs the packages booktabs and graphicx
/// (a table that is wider than the text is made smaller).
std::string report_latex(const ReportTable& table);

/// Writes `folder`/tables/ID.md, ID.csv and ID.tex of each table; each file is either whole or untouched.
/// Throws Error (bad_input).
void write_tables(const std::filesystem::path& folder, const std::vector<ReportTable>& tables);

}  // namespace boltzmark
