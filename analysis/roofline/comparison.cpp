#include "analysis/roofline/rows.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/roofline/roofline.hpp"
#include "analysis/roofline/words.hpp"
#include "common/base/ranges.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

using Group = std::vector<Row*>;

/// Rows whose name is "" are left out.
ByName<Group> groups_by(std::vector<Row>& rows, std::string (*name)(const Row&)) {
  ByName<Group> groups;
  for (Row& row : rows)
    if (const std::string of_row = name(row); !of_row.empty()) groups[of_row].push_back(&row);
  return groups;
}

/// Over the first right row of the baseline in this role.
void add_speed_ups(const Group& group, const std::string& role, std::optional<Spread> Row::*over) {
  const auto* const at = find_where(group, [&](const Row* row) {
    return row->is_right() && row->key.model == baseline_model && row->record->role == role;
  });
  if (!at) return;
  const Row& base = **at;
  for (Row* row : group)
    if (row->is_right())
      row->*over = {base.time.median / row->time.median, base.time_interval.minimum / row->time_interval.maximum,
                    base.time_interval.maximum / row->time_interval.minimum};
}

/// Peers are libraries, not code of the model; narrower numbers are another problem.
bool competes(const Row& row) { return row.is_right() && row.record->role != "peer" && row.storage().empty(); }

void mark_best(const Group& group) {
  std::map<std::string, Row*> best;
  for (Row* row : group)
    if (competes(*row))
      if (Row*& fastest = best[row->key.model]; !fastest || row->time.median < fastest->time.median) fastest = row;
  for (const auto& [model, row] : best) row->is_best_of_model = true;
}

/// Equal for rows that differ only in their build; "" for the driver's own build.
std::string apart_from_build(const Row& row) {
  if (row.key.build.empty()) return "";
  const std::size_t rest = row.setting.size() - row.key.build.size();  // the setting without its build
  return fmt::format("{}|{}|{}|{}|{}x{}", case_of(row), row.key.model, row.variant,
                     row.setting.substr(0, rest > 0 ? rest - 1 : 0), std::max(1, row.ranks), std::max(1, row.threads));
}

void compare_builds(std::vector<Row>& rows) {
  const Row* const built = find_where(rows, [](const Row& row) { return !row.key.build.empty(); });
  for (const auto& [name, group] : groups_by(rows, apart_from_build)) {
    const auto* const first =
        find_where(group, [&](const Row* row) { return row->key.build == built->key.build && row->is_right(); });
    for (Row* row : group) {
      if (!first || !row->is_right()) continue;
      row->over_first_build = (*first)->time.median / row->time.median;
      if (row == *first) continue;
      const bool is_faster = row->over_first_build > 1.0;
      const Row &faster = is_faster ? *row : **first, &other = is_faster ? **first : *row;
      const Standing slower = standing_of(faster.round_seconds, other.round_seconds, swing_of(faster, other));
      row->verdict_over_build = slower != Standing::behind ? to_string(slower) : is_faster ? "faster" : "slower";
    }
  }
}

/// Threads or ranks of a row that can be in a line of scaling; runs with several of both cannot.
bool scales(const Row& row) { return row.is_done() && row.ranks > 0 && (row.threads <= 1 || row.ranks <= 1); }

std::string line_of(const Row& row) {
  return fmt::format("{}|{}|{}|{}|{}|{}", row.source, row.key.workload, row.key.model, row.variant, row.setting,
                     row.part);
}

std::string strong_line(const Row& row) { return scales(row) ? case_of(row) + '|' + line_of(row) : ""; }

/// "box_256x64" of a case "box_256x128" of two workers: the slowest axis grows with the workers. "" if it cannot be
/// divided evenly.
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

/// Variant and setting without the work-group, where it was asked for.
std::string sweep_words(const Row& row) {
  const std::string& asked = row.key.work_group;
  const bool is_named = !asked.empty() && row.setting.starts_with(asked);
  return join_not_empty(
      {row.variant, row.setting.substr(is_named ? std::min(row.setting.size(), asked.size() + 1) : 0)});
}

/// Equal for rows that differ only in their work-group.
std::string sweep_of(const Row& row) {
  if (!row.is_done() || row.work_group().empty()) return "";
  return fmt::format("{}|{}|{}|{}", case_of(row), row.key.model, sweep_words(row), row.device);
}

/// A law of scaling: a figure of the speed-up that is linear in the serial share.
struct Law {
  double (*figure)(double speed_up);  ///< its own inverse
  double (*predicted)(double workers, double serial_share);
};
/// Seconds over those of one worker, and the speed-up itself.
constexpr Law amdahl = {[](double speed_up) { return 1.0 / speed_up; },
                        [](double n, double serial) { return serial + (1.0 - serial) / n; }};
constexpr Law gustafson = {[](double speed_up) { return speed_up; },
                           [](double n, double serial) { return n - serial * (n - 1.0); }};

/// Least squares of the relative deviations, with a serial share from none to all.
void fit_law(const Law& law, const std::vector<Scaling*>& points) {
  if (points.size() < 3) return;
  const auto workers = [](const Scaling& point) { return std::round(point.speed_up / point.efficiency); };
  if (workers(*points.front()) != 1.0) return;
  const auto over_measured = [&](const Scaling& point, double serial) {
    return law.predicted(workers(point), serial) / law.figure(point.speed_up);
  };
  double product = 0.0, square = 0.0, squares = 0.0;
  for (const Scaling* point : points) {
    const double slope = over_measured(*point, 1.0) - over_measured(*point, 0.0);
    product += slope * (1.0 - over_measured(*point, 0.0));
    square += slope * slope;
  }
  const double serial = std::clamp(product / square, 0.0, 1.0);
  for (const Scaling* point : points) squares += std::pow(over_measured(*point, serial) - 1.0, 2);
  // The first point follows the law for any share, so it is no degree of freedom.
  const double residual = std::sqrt(squares / static_cast<double>(points.size() - 1));
  for (Scaling* point : points) point->fit = {serial, residual, law.figure(law.predicted(workers(*point), serial))};
}

/// The fastest row for each number of workers, if there are at least two numbers.
void add_scaling(const Group& line, const Law& law, std::optional<Scaling> Row::*scaling) {
  std::map<int, Row*> fastest;
  for (Row* row : line) keep_faster(fastest[row->workers()], *row);
  if (fastest.size() < 2) return;
  const auto& [fewest, first] = *fastest.begin();
  const bool of_ranks = std::ranges::any_of(fastest, [](const auto& point) { return point.second->ranks > 1; });
  std::vector<Scaling*> points;
  for (const auto& [workers, row] : fastest) {
    const double speed_up = updates_per_second(*row) / updates_per_second(*first) * fewest;
    row->*scaling = {speed_up, speed_up / workers, {}};
    row->workers_unit = of_ranks ? "ranks" : "threads";
    points.push_back(&*(row->*scaling));
  }
  fit_law(law, points);
}

/// The same for rows of one code on the same work, on any device.
std::string code_of(const Row& row) {
  return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}", row.source, row.key.workload, row.case_digest(), row.key.precision,
                     row.part, row.key.model, row.variant, row.setting, row.tuned);
}

/// Model and type of device.
std::string column_of(const Row& row) { return row.key.model + '|' + row.record->device_type; }

std::vector<double> seconds_of_update(const Row& row) {
  return each(row.round_seconds, [&row](double seconds) { return seconds / row.work.updates; });
}

/// Where launches or latency take the time of a row, and the fastest has at most half as many launches.
std::string launches_words(const Row& row, const Row& fastest) {
  const auto of = [](const Row& one) { return one.record->calls.value_or(Calls()).launches; };
  const bool cost_time = row.roofline.bound.find("launches") != std::string::npos || row.roofline.is_far;
  return cost_time && row.steps() == fastest.steps() && of(fastest) > 0 && of(row) >= 2 * of(fastest)
             ? fmt::format("{} launches, the fastest {}", of(row), of(fastest))
             : "";
}

void add_places(std::vector<Row>& rows, const char* role, ShareOfFastest Row::*place) {
  ByName<ByName<Row*>> problems;  // the fastest of each column
  for (Row& row : rows) {
    row.*place = {};
    if (!competes(row) || row.source != "runs") continue;
    if (*role && row.record->role != role) continue;
    keep_faster(problems[problem_of(row)][column_of(row)], row);
  }
  for (const auto& [problem, columns] : problems) {
    const Row& best = *std::ranges::max_element(columns, {}, [](const auto& column) {
                         return updates_per_second(*column.second);
                       })->second;
    for (const auto& [column, row] : columns) {
      const auto fastest = seconds_of_update(best), other = seconds_of_update(*row);
      const double swing = swing_of(best, *row);
      ShareOfFastest& at = row->*place;
      at = {updates_per_second(*row) / updates_per_second(best),
            standing_of(fastest, other, swing),
            {},
            launches_words(*row, best)};
      if (row == &best && at.standing != Standing::unranked) at.standing = Standing::fastest;
      if (at.standing == Standing::undecided) at.rounds_to_decide = rounds_to_decide(fastest, other, swing);
    }
  }
}

}  // namespace

double updates_per_second(const Row& row) { return row.work.updates / row.time.median; }

std::string case_of(const Row& row) {
  return fmt::format("{}|{}|{}|{}|{}|{}", row.source, row.key.workload, row.case_digest(), row.steps(),
                     row.key.precision, row.part);
}

std::string problem_of(const Row& row) {
  return fmt::format("{}|{}|{}|{}|{}", row.source, row.key.workload, row.case_name, row.key.precision, row.part);
}

void add_shares(std::vector<Row>& rows) {
  add_places(rows, "", &Row::best);
  add_places(rows, "like-for-like", &Row::same);
  compare_builds(rows);
}

void compare_rows(std::vector<Row>& rows) {
  for (const auto& [name, group] : groups_by(rows, case_of)) {
    add_speed_ups(group, "textbook", &Row::over_textbook);
    add_speed_ups(group, "like-for-like", &Row::over_like_for_like);
    mark_best(group);
  }
  for (const auto& [name, line] : groups_by(rows, strong_line)) add_scaling(line, amdahl, &Row::strong);
  for (const auto& [name, line] : groups_by(rows, weak_line)) add_scaling(line, gustafson, &Row::weak);
  for (const auto& [name, sweep] : groups_by(rows, sweep_of))
    if (std::ranges::any_of(sweep, [](const Row* row) { return !row->key.work_group.empty(); }) &&
        std::ranges::any_of(sweep, [&](const Row* row) { return row->work_group() != sweep[0]->work_group(); }))
      for (Row* row : sweep) row->sweep = sweep_words(*row);
  for (Row& row : rows)
    if (row.weak) row.weak_line = case_of_one_worker(row);
}

void add_portability(std::vector<Row>& rows) {
  const auto counts = [](const Row& row) { return row.is_right() && row.roofline.share; };
  std::map<std::string, std::map<std::string, const Row*>> codes;  // the fastest row of each device
  for (const Row& row : rows) {
    if (!counts(row)) continue;
    keep_faster(codes[code_of(row)][device_of(row)], row);
  }
  for (Row& row : rows) {
    if (!counts(row)) continue;
    const auto shares =
        each(codes[code_of(row)], [](const auto& at) { return std::min(1.0, *at.second->roofline.share); });
    row.portability = {harmonic_mean(shares), static_cast<int>(shares.size())};
  }
}

}  // namespace boltzmark
