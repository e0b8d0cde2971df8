// Rows of the table of figures from made-up runs, and their cells.
#pragma once

#include <functional>
#include <string>
#include <utility>
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

/// A run on the device G.
inline RunEntry on_gpu(const std::string& model, const std::string& variant, double seconds) {
  return with(entry(model, variant, 1, {seconds}), [](RunEntry& e) {
    e.key.device = e.record->device = "G";
    e.record->device_type = "gpu";
    e.record->threads = 0;
  });
}

/// Turns each repeat of a run into a round, with its seconds and those of its parts, instead of one round with all
/// repeats.
inline std::vector<RunEntry> in_rounds(const std::vector<RunEntry>& entries) {
  std::vector<RunEntry> rounds;
  for (const RunEntry& e : entries)
    for (std::size_t i = 0; i < (e.record ? e.record->repeats.size() : 1); ++i) {
      RunEntry& one = rounds.emplace_back(e);
      one.key.round = static_cast<int>(i) + 1;
      if (!one.record) continue;
      Record& r = *one.record;
      r.repeats = {e.record->repeats[i]};
      const double before = std::exchange(r.compute_seconds, r.repeats[0].compute_seconds);
      if (r.metrics[0].value) *r.metrics[0].value *= before / r.compute_seconds;
      for (Part& part : r.parts) part.seconds = {part.seconds[i]};
    }
  return rounds;
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
