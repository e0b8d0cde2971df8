#include "analysis/report/scaling_data.hpp"

#include <fmt/format.h>

#include <map>
#include <tuple>

#include "analysis/report/plot_words.hpp"

namespace boltzmark {
namespace {

using nlohmann::json;

/// Model, variant and setting: the best row for each number of workers.
using Lines =
    std::map<std::tuple<std::string, std::string, std::string>, std::map<int, const ComparisonRow*>>;

/// Threads or ranks of a row that can be in a line, 0 for others.
int workers_of(const ComparisonRow& row) {
  if (!row.is_right() || row.threads <= 0 || row.ranks <= 0) return 0;
  return row.threads > 1 && row.ranks > 1 ? 0 : row.threads * row.ranks;
}

void add(Lines& lines, const ComparisonRow& row) {
  const ComparisonRow*& best = lines[{row.model, row.variant, row.setting}][workers_of(row)];
  if (!best || row.mlups > best->mlups) best = &row;
}

json series_of(const Lines& lines) {
  json series = json::array();
  for (const auto& [name, points] : lines) {
    if (points.size() < 2) continue;
    const auto& [model, variant, setting] = name;
    json list_of_points = json::array();
    bool ranks = false;
    for (const auto& [workers, row] : points) {
      ranks = ranks || row->ranks > 1;
      list_of_points.push_back({{"workers", workers},
                                {"mlups", row->mlups},
                                {"min", row->mlups * row->median / row->maximum},
                                {"max", row->mlups * row->median / row->minimum}});
    }
    series.push_back({{"model", model},
                      {"variant", setting.empty() ? variant : variant + ' ' + setting},
                      {"unit", ranks ? "ranks" : "threads"},
                      {"points", list_of_points}});
  }
  return series;
}

void add_strong(json& list, const ProblemComparison& problem) {
  Lines lines;
  for (const auto& row : problem.rows)
    if (workers_of(row) > 0) add(lines, row);
  json series = series_of(lines);
  if (series.empty()) return;
  list.push_back(
      {{"id", file_name(fmt::format("scaling-{}-{}-{}", problem.problem, problem.steps, problem.precision))},
       {"title",
        fmt::format("{}, {} steps, {}", problem.problem, problem.steps, precision_words(problem.precision))},
       {"problem", problem.problem},
       {"precision", problem.precision},
       {"kind", "strong"},
       {"series", std::move(series)}});
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

void add_weak(json& list, const Comparison& comparison) {
  std::map<Family, Lines> families;
  for (const auto& problem : comparison.problems)
    for (const auto& row : problem.rows) {
      const int workers = workers_of(row);
      if (workers == 0 || problem.ny % workers != 0) continue;
      add(families[{without_size(problem), problem.nx, problem.ny / workers, problem.steps,
                    problem.precision}],
          row);
    }
  for (const auto& [family, lines] : families) {
    json series = series_of(lines);
    if (series.empty()) continue;
    const std::string problem = fmt::format("{}{}x{}", family.name, family.nx, family.rows_each);
    list.push_back(
        {{"id", file_name(fmt::format("scaling-weak-{}-{}-{}", problem, family.steps, family.precision))},
         {"title", fmt::format("{} for each worker, {} steps, {}", problem, family.steps,
                               precision_words(family.precision))},
         {"problem", problem},
         {"precision", family.precision},
         {"kind", "weak"},
         {"series", std::move(series)}});
  }
}

}  // namespace

json scaling_data(const Comparison& comparison) {
  json list = json::array();
  for (const auto& problem : comparison.problems) add_strong(list, problem);
  add_weak(list, comparison);
  return list;
}

}  // namespace boltzmark
