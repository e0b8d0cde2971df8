// What a model's fastest run has of the fastest there.
#include <fmt/core.h>

#include <algorithm>

#include "analysis/roofline/rows.hpp"
#include "common/base/ranges.hpp"

namespace boltzmark {
namespace {

/// Model and type of device.
std::string column_of(const Row& row) { return row.key.model + '|' + row.record->device_type; }

/// Whether the intervals of their medians meet; false where one has too few rounds to tell.
bool meets(const Row& row, const Row& best) {
  constexpr std::size_t enough = 3;
  return &row != &best && std::min(row.round_seconds.size(), best.round_seconds.size()) >= enough &&
         row.time_interval.minimum <= best.time_interval.maximum;
}

}  // namespace

std::string problem_of(const Row& row) {
  return fmt::format("{}|{}|{}|{}|{}", row.source, row.key.workload, row.case_name, row.key.precision, row.part);
}

namespace {

void add_shares(std::vector<Row>& rows, const char* role, std::optional<double> Row::*share, bool Row::*is_tied) {
  ByName<ByName<Row*>> problems;  // the fastest of each column
  for (Row& row : rows) {
    (row.*share).reset();
    row.*is_tied = false;
    if (!row.is_right() || row.record->role == "peer" || row.source != "runs") continue;
    if (*role && row.record->role != role) continue;
    keep_faster(problems[problem_of(row)][column_of(row)], row);
  }
  for (const auto& [problem, columns] : problems) {
    const Row& best = *std::ranges::max_element(columns, {}, [](const auto& column) {
                         return updates_per_second(*column.second);
                       })->second;
    for (const auto& [column, row] : columns) {
      row->*share = updates_per_second(*row) / updates_per_second(best);
      row->*is_tied = meets(*row, best);
    }
  }
}

}  // namespace

void add_shares(std::vector<Row>& rows) {
  add_shares(rows, "", &Row::share_of_best, &Row::is_tied);
  add_shares(rows, "like-for-like", &Row::share_of_same, &Row::is_tied_same);
}

}  // namespace boltzmark
