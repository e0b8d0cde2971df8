#include "analysis/report/scaling_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "analysis/run/comparison_output.hpp"

namespace boltzmark {
namespace {

/// Model, variant and setting: the best row for each number of workers.
using Lines = std::map<std::pair<std::string, std::string>, std::map<int, const ComparisonRow*>>;

/// Threads or ranks of a row that can be in a line, 0 for others. A device that decides on its threads is one
/// worker a rank.
int workers_in_line(const ComparisonRow& row) {
  if (!row.is_right() || row.threads < 0 || row.ranks <= 0) return 0;
  return row.threads > 1 && row.ranks > 1 ? 0 : std::max(row.threads, 1) * row.ranks;
}

void add(Lines& lines, const ComparisonRow& row) {
  const ComparisonRow*& best = lines[{row.model, variant_of(row)}][workers_in_line(row)];
  if (!best || row.mlups > best->mlups) best = &row;
}

/// Those with two points; nothing is added where there are none.
void add_group(std::vector<ScalingGroup>& groups, ScalingGroup group, const Lines& lines) {
  for (const auto& [name, points] : lines)
    if (points.size() > 1) group.lines.push_back({name.first, name.second, points});
  if (!group.lines.empty()) groups.push_back(std::move(group));
}

void add_strong(std::vector<ScalingGroup>& groups, const ProblemComparison& problem) {
  Lines lines;
  for (const auto& row : problem.rows)
    if (workers_in_line(row) > 0) add(lines, row);
  add_group(groups,
            {.problem = problem.problem, .precision = problem.precision, .steps = problem.steps, .lines = {}},
            lines);
}

/// Grids that differ in nothing but their rows.
struct Family {
  std::string name;  ///< of the problem, without its size
  int nx, rows_each, steps;
  std::string precision;
  auto operator<=>(const Family&) const = default;
};

/// "box_256x64" as "box_", with nx 256 and ny 64.
std::string without_size(const ProblemComparison& problem) {
  const std::string size = fmt::format("{}x{}", problem.nx, problem.ny);
  const auto at = problem.problem.find(size);
  return at == std::string::npos ? problem.problem
                                 : problem.problem.substr(0, at) + problem.problem.substr(at + size.size());
}

void add_weak(std::vector<ScalingGroup>& groups, const Comparison& comparison) {
  std::map<Family, Lines> families;
  for (const auto& problem : comparison.problems)
    for (const auto& row : problem.rows) {
      const int workers = workers_in_line(row);
      if (workers == 0 || problem.ny % workers != 0) continue;
      add(families[{without_size(problem), problem.nx, problem.ny / workers, problem.steps,
                    problem.precision}],
          row);
    }
  for (const auto& [family, lines] : families)
    add_group(groups,
              {.is_weak = true,
               .problem = fmt::format("{}{}x{}", family.name, family.nx, family.rows_each),
               .precision = family.precision,
               .steps = family.steps,
               .lines = {}},
              lines);
}

}  // namespace

const char* ScalingLine::unit() const {
  const bool ranks =
      std::any_of(points.begin(), points.end(), [](const auto& point) { return point.second->ranks > 1; });
  return ranks ? "ranks" : "threads";
}

double ScalingLine::efficiency(int workers) const {
  const auto& [first_workers, first] = *points.begin();
  return points.at(workers)->mlups / workers * first_workers / first->mlups;
}

std::vector<ScalingGroup> scaling_groups(const Comparison& comparison) {
  std::vector<ScalingGroup> groups;
  for (const auto& problem : comparison.problems) add_strong(groups, problem);
  add_weak(groups, comparison);
  return groups;
}

}  // namespace boltzmark
