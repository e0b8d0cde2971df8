#include "analysis/roofline/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace boltzmark {
namespace {

/// Speed-ups are given over this model's variants.
constexpr const char* baseline_model = "serial";

using Group = std::vector<Row*>;

std::vector<Group> groups_by(std::vector<Row>& rows, std::string (*name)(const Row&)) {
  std::vector<Group> groups;
  std::map<std::string, std::size_t> position;
  for (Row& row : rows) {
    const std::string of_row = name(row);
    if (of_row.empty()) continue;
    const auto [at, is_new] = position.try_emplace(of_row, groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].push_back(&row);
  }
  return groups;
}

/// Of several baselines the first that is right.
const Row* find_baseline(const Group& group, const std::string& role) {
  for (const Row* row : group)
    if (row->is_right() && row->key.model == baseline_model && row->record->role == role) return row;
  return nullptr;
}

void add_speed_ups(const Group& group, const std::string& role, std::optional<Spread> Row::*over) {
  const Row* const base = find_baseline(group, role);
  if (!base) return;
  for (Row* row : group)
    if (row->is_right())
      row->*over = {base->time.median / row->time.median,
                    base->time_interval.minimum / row->time_interval.maximum,
                    base->time_interval.maximum / row->time_interval.minimum};
}

/// A peer is a library's, and not its model's.
void mark_best(const Group& group) {
  std::map<std::string, Row*> best;
  for (Row* row : group) {
    if (!row->is_right() || row->record->role == "peer") continue;
    Row*& fastest = best[row->key.model];
    if (!fastest || row->time.median < fastest->time.median) fastest = row;
  }
  for (const auto& [model, row] : best) row->is_best_of_model = true;
}

/// The row's setting without its build.
std::string setting_without_build(const Row& row) {
  const std::size_t rest = row.setting.size() - row.key.build.size();
  return row.setting.substr(0, rest > 0 ? rest - 1 : 0);
}

/// Equal for rows that differ in their build only; "" for those of the driver's own.
std::string apart_from_build(const Row& row) {
  if (row.key.build.empty()) return "";
  return fmt::format("{}|{}|{}|{}|{}x{}", case_of(row), row.key.model, row.variant,
                     setting_without_build(row), std::max(1, row.ranks), std::max(1, row.threads));
}

void compare_builds(std::vector<Row>& rows) {
  const auto built =
      std::find_if(rows.begin(), rows.end(), [](const Row& row) { return !row.key.build.empty(); });
  if (built == rows.end()) return;
  const std::string first_build = built->key.build;
  for (const Group& group : groups_by(rows, apart_from_build)) {
    const auto first = std::find_if(group.begin(), group.end(), [&](const Row* row) {
      return row->key.build == first_build && row->is_right();
    });
    if (first == group.end()) continue;
    for (Row* row : group)
      if (row->is_right()) row->over_first_build = (*first)->time.median / row->time.median;
  }
}

/// Threads or ranks of a row that can be in a line of scaling; runs with several of both are in none.
bool scales(const Row& row) {
  return row.is_right() && row.ranks > 0 && (row.threads <= 1 || row.ranks <= 1);
}

std::string line_of(const Row& row) {
  return fmt::format("{}|{}|{}|{}|{}|{}", row.source, row.key.workload, row.key.model, row.variant,
                     row.setting, row.part);
}

std::string strong_line(const Row& row) { return scales(row) ? case_of(row) + '|' + line_of(row) : ""; }

/// "box_256x64" of a case "box_256x128" of two workers: the slowest axis grows with the workers. "" where it
/// cannot be shared out evenly.
std::string case_of_one_worker(const Row& row) {
  std::vector<std::int64_t> extent = row.record->case_.extent;
  if (extent.empty() || extent.back() % row.workers() != 0) return "";
  const std::string size = fmt::format("{}", fmt::join(extent, "x"));
  extent.back() /= row.workers();
  std::string name = row.case_name;
  if (const auto at = name.find(size); at != name.npos) name.erase(at, size.size());
  return fmt::format("{}{}", name, fmt::join(extent, "x"));
}

std::string weak_line(const Row& row) {
  if (!scales(row)) return "";
  const std::string one = case_of_one_worker(row);
  return one.empty() ? "" : fmt::format("{}|{}|{}|{}", one, row.steps(), row.key.precision, line_of(row));
}

/// The fastest row for each number of workers, where there are two numbers.
void add_scaling(const Group& line, std::optional<Scaling> Row::*scaling) {
  std::map<int, Row*> fastest;
  for (Row* row : line) {
    Row*& best = fastest[row->workers()];
    if (!best || updates_per_second(*row) > updates_per_second(*best)) best = row;
  }
  if (fastest.size() < 2) return;
  const auto& [fewest, first] = *fastest.begin();
  const bool of_ranks =
      std::any_of(fastest.begin(), fastest.end(), [](const auto& point) { return point.second->ranks > 1; });
  for (const auto& [workers, row] : fastest) {
    const double speed_up = updates_per_second(*row) / updates_per_second(*first) * fewest;
    row->*scaling = {speed_up, speed_up / workers};
    row->workers_unit = of_ranks ? "ranks" : "threads";
  }
}

}  // namespace

double updates_per_second(const Row& row) { return row.work.updates / row.time.median; }

std::string case_of(const Row& row) {
  return fmt::format("{}|{}|{}|{}|{}|{}", row.source, row.key.workload, row.case_digest(), row.steps(),
                     row.key.precision, row.part);
}

void compare_rows(std::vector<Row>& rows) {
  for (const Group& group : groups_by(rows, case_of)) {
    add_speed_ups(group, "textbook", &Row::over_textbook);
    add_speed_ups(group, "like-for-like", &Row::over_like_for_like);
    mark_best(group);
  }
  compare_builds(rows);
  for (const Group& line : groups_by(rows, strong_line)) add_scaling(line, &Row::strong);
  for (const Group& line : groups_by(rows, weak_line)) add_scaling(line, &Row::weak);
  for (Row& row : rows)
    if (row.weak) row.weak_line = case_of_one_worker(row);
}

std::optional<double> one_worker_seconds(const Row& row, const std::vector<Row>& rows) {
  const Row* found = nullptr;
  for (const Row& other : rows) {
    const bool one = other.is_right() && other.threads * other.ranks == 1 && other.variant == row.variant;
    if (!one || case_of(other) != case_of(row)) continue;
    if (other.key.model == row.key.model || (!found && other.key.model == baseline_model)) found = &other;
  }
  return found ? std::optional(found->time.median) : std::nullopt;
}

}  // namespace boltzmark
