// Rows of the table of figures from runs that never were, and their cells.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/roofline/figures.hpp"
#include "entries.hpp"

namespace boltzmark::testing {

using Cells = std::vector<std::string>;

inline std::vector<Row> rows_of(std::vector<RunEntry> entries) {
  Results results;
  results.entries = std::move(entries);
  return make_rows(results);
}

inline RunEntry with(RunEntry e, const std::function<void(RunEntry&)>& change) {
  change(e);
  return e;
}

inline std::string value_of(const Row& row, const std::string& name) {
  for (const auto& column : figure_columns())
    if (column.name == name) return column.value(row);
  return "no such column";
}

inline Cells values_of(const std::vector<Row>& rows, const std::string& name) {
  Cells values;
  for (const Row& row : rows) values.push_back(value_of(row, name));
  return values;
}

}  // namespace boltzmark::testing
