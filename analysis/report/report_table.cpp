#include "analysis/report/report_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/support/latex.hpp"
#include "common/lbm/result_files.hpp"

namespace boltzmark {
namespace {

Table rows_of(const ReportTable& table, std::vector<Column> columns) {
  Table rows(std::move(columns));
  for (const auto& row : table.rows) rows.add_row(row);
  return rows;
}

std::string source_line(const ReportTable& table) {
  return table.source.empty() ? "" : "Published figures: " + table.source + '.';
}

/// Every line of a text behind a few blanks.
std::string indented(const std::string& text) {
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin) + 1;
    result += "  " + text.substr(begin, end - begin);
    begin = end;
  }
  return result;
}

void write(const std::filesystem::path& path, const std::string& text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace

void ReportTable::note(const std::string& line) {
  if (std::find(notes.begin(), notes.end(), line) == notes.end()) notes.push_back(line);
}

void to_json(nlohmann::json& json, const Cell& cell) { json = cell.text; }

std::string report_text(const ReportTable& table, int width) {
  std::string text = wrapped(table.title, width) + wrapped(table.caption, width) + '\n';
  text += rows_of(table, table.columns).text(width);
  if (!table.notes.empty() || !table.source.empty()) text += '\n';
  for (const auto& note : table.notes) text += wrapped("- " + note, width, 2);
  return text + wrapped(source_line(table), width);
}

std::string report_markdown(const ReportTable& table) {
  std::string text = fmt::format("## {}\n\n", table.title);
  if (!table.caption.empty()) text += table.caption + "\n\n";
  text += rows_of(table, table.columns).markdown();
  if (!table.notes.empty()) text += '\n';
  for (const auto& note : table.notes) text += "- " + note + '\n';
  if (!table.source.empty()) text += '\n' + source_line(table) + '\n';
  return text;
}

std::string report_csv(const ReportTable& table) {
  std::vector<Column> columns = table.columns;
  for (Column& column : columns) std::replace(column.header.begin(), column.header.end(), '\n', ' ');
  return rows_of(table, std::move(columns)).csv();
}

std::string report_latex(const ReportTable& table) {
  std::string caption = latex_text(table.title) + '.';
  for (const std::string& part : {table.caption, source_line(table)})
    if (!part.empty()) caption += ' ' + latex_text(part);
  std::string text = fmt::format(
      "% needs \\usepackage{{booktabs,graphicx}}\n\\begin{{table}}\n  \\centering\n  \\caption{{{}}}\n  "
      "\\label{{tab:{}}}\n  \\footnotesize\n",
      caption, table.id);
  text += "  \\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n";
  text += indented(rows_of(table, table.columns).latex()) + "  }\n";
  if (!table.notes.empty()) {
    text += "  \\scriptsize\n  \\begin{itemize}\n";
    for (const auto& note : table.notes) text += "    \\item " + latex_text(note) + '\n';
    text += "  \\end{itemize}\n";
  }
  return text + "\\end{table}\n";
}

void write_tables(const std::filesystem::path& folder, const std::vector<ReportTable>& tables) {
  const std::filesystem::path target = folder / "tables";
  prepare_folder(target);
  for (const auto& table : tables) {
    write(target / (table.id + ".md"), report_markdown(table));
    write(target / (table.id + ".csv"), report_csv(table));
    write(target / (table.id + ".tex"), report_latex(table));
  }
}

}  // namespace boltzmark
