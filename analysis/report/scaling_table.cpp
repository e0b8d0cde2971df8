// Scaling: what each number of ranks or threads reaches of the ideal, and what exchanges of halo rows cost.
#include <fmt/format.h>

#include "analysis/report/scaling_lines.hpp"
#include "analysis/report/table_cells.hpp"
#include "analysis/report/tables.hpp"
#include "analysis/run/comparison_output.hpp"

namespace boltzmark {
namespace {

Cell percent_cell(const std::optional<double>& share) {
  return share ? Cell(fmt::format("{:.1f}", 100.0 * *share), fmt::format("{:.9g}", 100.0 * *share))
               : Cell("-", "");
}

/// "1 rank", "4 ranks".
std::string workers_cell(int workers, const ScalingLine& line) {
  const std::string unit = line.unit();
  return fmt::format("{} {}", workers, workers == 1 ? unit.substr(0, unit.size() - 1) : unit);
}

void add_line(const ScalingGroup& group, const ScalingLine& line, ReportTable& table) {
  for (const auto& [workers, row] : line.points)
    table.rows.push_back({group.precision == "f32" ? group.problem : group.problem + ' ' + group.precision,
                          group.is_weak ? "weak" : "strong", line.model, line.variant, device_cell(*row),
                          workers_cell(workers, line), std::to_string(group.steps),
                          number_cell(row->median, 4), number_cell(row->mlups, 4),
                          percent_cell(line.efficiency(workers)), percent_cell(row->halo_share),
                          percent_cell(row->halo_share_most), row->is_checked() ? "yes" : "no"});
}

}  // namespace

ReportTable scaling_table(const Results& results) {
  ReportTable table;
  table.id = "scaling";
  table.title = "Scaling over ranks and threads";
  table.caption =
      "Strong: the same grid for all; weak: a grid of so many rows for each worker. Efficiency: the rate "
      "over that of as many workers, each as fast as in the first row of its line. In exchanges: share of "
      "the "
      "compute seconds in which a rank does nothing but exchange halo rows or wait for them, on average over "
      "the ranks and of the rank with the most; medians of the repeats.";
  table.source = "measured here";
  table.columns = {left("grid"),
                   left("scaling"),
                   left("model"),
                   left("variant", true),
                   left("device", true),
                   right("workers"),
                   right("steps"),
                   right("s"),
                   right("MLUPS"),
                   right("efficiency\n%"),
                   right("in\nexchanges\n%"),
                   right("most of\na rank\n%"),
                   left("checked")};
  bool has_unchecked = false;
  for (const ScalingGroup& group : scaling_groups(results.comparison))
    for (const ScalingLine& line : group.lines) {
      add_line(group, line, table);
      for (const auto& [workers, row] : line.points) has_unchecked = has_unchecked || !row->is_checked();
    }
  if (has_unchecked)
    table.note("Not checked: the grid is too large for the oracle to compute the right answer in the time.");
  for (const auto& problem : results.comparison.problems)
    if (const auto spread = problem.unchecked_spread())
      table.note(fmt::format("{}: average velocities of the last step lie within {} of each other.",
                             problem.problem, significant(*spread, 2)));
  return table;
}

}  // namespace boltzmark
