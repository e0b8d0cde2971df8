#include "analysis/report/tables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/report/table_cells.hpp"
#include "analysis/run/build_table.hpp"

namespace boltzmark {

ReportTable other_figures_table(const Published& published) {
  ReportTable table;
  table.id = "published-other";
  table.title = "Other published figures";
  table.caption = "Nothing measured here stands beside these yet.";
  table.columns = {left("source"), left("group"), left("what"), left("on"), right("value"), left("unit")};
  for (const PublishedFigure& figure : published.figures) {
    table.rows.push_back({figure.source, figure.group, figure.what,
                          figure.hardware.empty() ? "not named" : published.device(figure.hardware).name,
                          published_cell(figure.value), figure.unit});
    if (!figure.remark.empty())
      table.note(fmt::format("{}, {}: {}: {}.", figure.source, figure.group, figure.what, figure.remark));
  }
  for (const Source& source : published.sources) {
    const bool used = std::any_of(published.figures.begin(), published.figures.end(),
                                  [&](const PublishedFigure& figure) { return figure.source == source.id; });
    if (used) table.source += (table.source.empty() ? "" : "; ") + source.id + ": " + source.citation();
  }
  return table;
}

ReportTable compiler_table(const Results& results) {
  BuildTable builds = make_build_table(results.comparison);
  ReportTable table;
  table.id = "compilers";
  table.title = "Compilers and flags";
  table.caption = builds.caption();
  table.columns = std::move(builds.columns);
  table.rows = std::move(builds.rows);
  table.notes = std::move(builds.notes);
  return table;
}

std::vector<ReportTable> make_tables(const Results& results, const Published& published) {
  std::vector<ReportTable> tables = {stream_table(results, published),     step_table(results, published),
                                     model_table(results, published),      rate_table(results, published),
                                     work_group_table(results, published), grid_table(results, published)};
  if (ReportTable scaling = scaling_table(results); !scaling.rows.empty())
    tables.push_back(std::move(scaling));
  if (ReportTable compilers = compiler_table(results); !compilers.rows.empty())
    tables.push_back(std::move(compilers));
  tables.push_back(other_figures_table(published));
  return tables;
}

}  // namespace boltzmark
