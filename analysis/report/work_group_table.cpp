// Seconds over work-group sizes.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/report/table_cells.hpp"
#include "analysis/report/tables.hpp"
#include "analysis/run/comparison_output.hpp"
#include "analysis/support/json_reader.hpp"

namespace boltzmark {
namespace {

/// Runs that differ in their work-group only, the fastest first.
struct Sweep {
  std::vector<std::pair<Measurement, std::string>> runs;  ///< with the work-group that was used
};

std::string shape_of(const PublishedWorkGroups::Point& point) {
  return fmt::format("{}x{}", point.x, point.y);
}

std::string used_work_group(const ComparisonRow& row) { return text_at(row.record, "/settings/work_group"); }

/// All sweeps in which some work-group was asked for, with the runs in which the model chose.
std::vector<Sweep> sweeps_of(const Results& results, const Published& published) {
  using Id = std::tuple<const ProblemComparison*, std::string, std::string, std::string, std::string>;
  std::vector<Id> order;
  std::map<Id, Sweep> sweeps;
  for (const Comparison* const comparison : {&results.comparison, &results.tuning})
    for (const auto& problem : comparison->problems)
      for (const auto& row : problem.rows) {
        if (!row.is_right() || used_work_group(row).empty()) continue;
        const Id id{&problem, row.model, row.variant, row.device, other_options(row)};
        if (sweeps[id].runs.empty()) order.push_back(id);
        sweeps[id].runs.emplace_back(measure(problem, row, standard_problem(problem, published)),
                                     used_work_group(row));
      }
  std::vector<Sweep> wanted;
  for (const Id& id : order) {
    Sweep& sweep = sweeps[id];
    if (std::none_of(sweep.runs.begin(), sweep.runs.end(),
                     [](const auto& run) { return wanted_work_group(*run.first.row).has_value(); }))
      continue;
    std::stable_sort(sweep.runs.begin(), sweep.runs.end(),
                     [](const auto& a, const auto& b) { return a.first.seconds < b.first.seconds; });
    wanted.push_back(std::move(sweep));
  }
  return wanted;
}

/// The published point of the same problem, model, type of device and shape, or nullptr.
const PublishedWorkGroups::Point* point_for(const Measurement& run, const std::string& shape,
                                            const Published& published) {
  const PublishedWorkGroups& groups = published.work_groups;
  const bool same = run.standard && run.standard->name == groups.problem && run.row->model == groups.model &&
                    run.problem->precision == "f32";
  if (!same) return nullptr;
  for (const auto& point : groups.points)
    if (shape_of(point) == shape && published.device(point.hardware).type == device_type_of(*run.row))
      return &point;
  return nullptr;
}

std::string remark_of(const PublishedWorkGroups::Point& point, const Published& published) {
  const std::string& name = published.device(point.hardware).name;
  return point.remark.empty() ? name : fmt::format("{} on {}", point.remark, name);
}

/// A tuner tries hundreds of shapes; the table has its fastest and slowest, the chosen and the published
/// ones.
constexpr std::size_t most_rows = 24, fastest_rows = 10, slowest_rows = 3;

void add_sweep(const Sweep& sweep, const Published& published,
               std::vector<const PublishedWorkGroups::Point*>& shown, ReportTable& table) {
  const double best = sweep.runs.front().first.seconds;
  const std::size_t count = sweep.runs.size();
  std::size_t left_out = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const auto& [run, shape] = sweep.runs[k];
    const auto* const point = point_for(run, shape, published);
    const bool is_telling =
        k < fastest_rows || k >= count - slowest_rows || point || !wanted_work_group(*run.row);
    if (count > most_rows && !is_telling) {
      ++left_out;
      continue;
    }
    if (point) shown.push_back(point);
    const std::string precision = run.problem->precision == "f32" ? "" : ' ' + run.problem->precision;
    const std::string options = other_options(*run.row);
    table.rows.push_back({run.problem->problem + precision, run.row->model,
                          options.empty() ? run.row->variant : run.row->variant + ' ' + options,
                          device_cell(*run.row), wanted_work_group(*run.row) ? shape : shape + " (chosen)",
                          steps_cell(run), number_cell(run.seconds, 4), number_cell(run.seconds / best, 3),
                          published_cell(point ? point->seconds : std::nullopt),
                          point ? Cell(remark_of(*point, published)) : Cell("")});
    note_scaling(&run, table);
  }
  if (left_out > 0)
    table.note(fmt::format("{} {} on {}: {} more shapes, in between, are in the picture only.",
                           sweep.runs.front().first.problem->problem, sweep.runs.front().first.row->variant,
                           plain_device(sweep.runs.front().first.row->device), left_out));
}

/// Whether our own figures say the same of a wide and of a high work-group as the published ones.
void note_wide_and_high(const Sweep& sweep, ReportTable& table) {
  const auto find = [&](const std::string& shape) {
    return std::find_if(sweep.runs.begin(), sweep.runs.end(),
                        [&](const auto& run) { return run.second == shape; });
  };
  const auto wide = find("32x4"), high = find("4x32");
  if (wide == sweep.runs.end() || high == sweep.runs.end()) return;
  const double ratio = high->first.seconds / wide->first.seconds;
  table.note(fmt::format("{} on {}: 4x32 takes {} times as long as 32x4; published: longer.",
                         wide->first.problem->problem, plain_device(wide->first.row->device),
                         significant(ratio, 3)));
}

}  // namespace

ReportTable work_group_table(const Results& results, const Published& published) {
  const PublishedWorkGroups& groups = published.work_groups;
  ReportTable table;
  table.id = "work-groups";
  table.title = "Work-group sizes";
  table.caption =
      "Compute seconds (of all iterations on the standard grids) over the work-group (x by y), the fastest "
      "first, and beside them what was published. Of a tuner's runs of a shape the lowest counts. Chosen: "
      "what the model takes when it is given none.";
  table.source = published.citation(groups.origin);
  table.columns = {left("grid"),          left("model"),
                   left("variant", true), left("measured\non", true),
                   left("work-group"),    right("steps\nrun"),
                   right("measured\ns"),  right("over\nbest"),
                   right("published\ns"), left("published as", true)};
  std::vector<const PublishedWorkGroups::Point*> shown;
  const auto sweeps = sweeps_of(results, published);
  for (const Sweep& sweep : sweeps) {
    add_sweep(sweep, published, shown, table);
    note_wide_and_high(sweep, table);
  }
  const Cell none("-", "");
  for (const auto& point : groups.points)
    if (std::find(shown.begin(), shown.end(), &point) == shown.end())
      table.rows.push_back({groups.problem, groups.model, none, none, shape_of(point), none, none, none,
                            published_cell(point.seconds), remark_of(point, published)});
  if (sweeps.empty())
    table.note(
        "No run was given a work-group: `boltzmark tune`, or \"work_group\" in the runs of a plan, makes "
        "such runs.");
  return table;
}

}  // namespace boltzmark
