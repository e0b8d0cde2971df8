#include "analysis/roofline/figures.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/roofline/roofline.hpp"
#include "analysis/support/by_name.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

/// Speed-ups are given over this model's variants.
constexpr const char* baseline_model = "serial";

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
  const auto at = std::ranges::find_if(group, [&](const Row* row) {
    return row->is_right() && row->key.model == baseline_model && row->record->role == role;
  });
  if (at == group.end()) return;
  const Row& base = **at;
  for (Row* row : group)
    if (row->is_right())
      row->*over = {base.time.median / row->time.median, base.time_interval.minimum / row->time_interval.maximum,
                    base.time_interval.maximum / row->time_interval.minimum};
}

/// Peers do not count: they are libraries, not code of the model.
void mark_best(const Group& group) {
  std::map<std::string, Row*> best;
  for (Row* row : group) {
    if (!row->is_right() || row->record->role == "peer") continue;
    Row*& fastest = best[row->key.model];
    if (!fastest || row->time.median < fastest->time.median) fastest = row;
  }
  for (const auto& [model, row] : best) row->is_best_of_model = true;
}

/// Equal for rows that differ in their build only; "" for those of the driver's own.
std::string apart_from_build(const Row& row) {
  if (row.key.build.empty()) return "";
  const std::size_t rest = row.setting.size() - row.key.build.size();  // the setting without its build
  return fmt::format("{}|{}|{}|{}|{}x{}", case_of(row), row.key.model, row.variant,
                     row.setting.substr(0, rest > 0 ? rest - 1 : 0), std::max(1, row.ranks), std::max(1, row.threads));
}

void compare_builds(std::vector<Row>& rows) {
  const auto built = std::ranges::find_if(rows, [](const Row& row) { return !row.key.build.empty(); });
  if (built == rows.end()) return;
  const std::string first_build = built->key.build;
  for (const auto& [name, group] : groups_by(rows, apart_from_build)) {
    const auto first =
        std::ranges::find_if(group, [&](const Row* row) { return row->key.build == first_build && row->is_right(); });
    if (first == group.end()) continue;
    for (Row* row : group)
      if (row->is_right()) row->over_first_build = (*first)->time.median / row->time.median;
  }
}

/// Threads or ranks of a row that can be in a line of scaling; runs with several of both are in none.
bool scales(const Row& row) { return row.is_right() && row.ranks > 0 && (row.threads <= 1 || row.ranks <= 1); }

std::string line_of(const Row& row) {
  return fmt::format("{}|{}|{}|{}|{}|{}", row.source, row.key.workload, row.key.model, row.variant, row.setting,
                     row.part);
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
  const bool of_ranks = std::ranges::any_of(fastest, [](const auto& point) { return point.second->ranks > 1; });
  for (const auto& [workers, row] : fastest) {
    const double speed_up = updates_per_second(*row) / updates_per_second(*first) * fewest;
    row->*scaling = {speed_up, speed_up / workers};
    row->workers_unit = of_ranks ? "ranks" : "threads";
  }
}

/// The same for rows of one code on the same work, on any device.
std::string code_of(const Row& row) {
  return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}", row.source, row.key.workload, row.case_digest(), row.key.precision,
                     row.part, row.key.model, row.variant, row.setting, row.tuned);
}

std::string device_of(const Row& row) {
  return row.record->device_type == "cpu" ? row.record->provenance.cpu : row.device;
}

/// The fastest row of each device.
using Devices = std::map<std::string, const Row*>;

constexpr const char* reference_model = "openmp";
constexpr double falls_short = 0.9;

bool is_on_processor(const Row& row) { return row.is_right() && row.record && row.record->device_type == "cpu"; }

/// The fastest of OpenMP in the same case, on the same machine.
const Row* reference_of(const Row& row, const std::vector<Row>& rows) {
  for (const Row& other : rows)
    if (other.is_best_of_model && other.key.model == reference_model && other.source == row.source &&
        case_of(other) == case_of(row) && is_on_processor(other) &&
        other.record->provenance.host == row.record->provenance.host)
      return &other;
  return nullptr;
}

/// What costs seconds in every step: starting kernels, halo exchanges, and the memory traffic of single steps where the
/// reference reuses cached data for several.
ByName<double> costs_of(const Row& row, const Row& reference, double step, const Peaks* peaks) {
  ByName<double> costs;
  const std::int64_t steps = row.record->work.steps_per_launch, of_reference = reference.record->work.steps_per_launch;
  const DevicePeaks* const device = peaks ? find_device(*peaks, row.record->device) : nullptr;
  if (device && steps >= 1)
    costs[fmt::format("starting kernels, {} for every {}", microseconds(device->launch_seconds.median),
                      counted(steps, "step"))] = device->launch_seconds.median / static_cast<double>(steps);
  if (row.halo_share)
    costs[fmt::format("halo exchanges, {:.0f} % of the time", 100.0 * *row.halo_share)] = *row.halo_share * step;
  const RooflineAnalysis& r = row.roofline;
  if (r.share_of_roof && steps <= 1 && of_reference != 1)
    costs[fmt::format(
        "moving all data through {} in every step, at {:.0f} % of a copy, where OpenMP takes {} in a sweep", r.roof,
        100.0 * *r.share_of_roof, counted(of_reference, "step"))] = std::min(1.0, *r.share_of_roof) * step;
  return costs;
}

/// In one sentence, with the figures of the largest cost that explains half of what is missing.
std::string behind(const Row& row, const Row& reference, const Peaks* peaks) {
  const auto steps = static_cast<double>(std::max<std::int64_t>(1, row.steps()));
  const double step = row.time.median / steps, gap = step - reference.time.median / steps;
  const bool has_workers = row.record->threads > 0;
  const std::string how_much =
      fmt::format("of a step's {}, {} are beyond OpenMP's", microseconds(step), microseconds(gap));
  if (has_workers && row.workers() < reference.workers())
    return fmt::format("{}: {} where OpenMP has {}", how_much, counted(row.workers(), "worker"), reference.workers());
  double largest = 0.0;
  std::string what;
  for (const auto& [words, seconds] : costs_of(row, reference, step, peaks))
    if (seconds > largest) {
      largest = seconds;
      what = words;
    }
  if (largest > 0.5 * gap)
    return fmt::format("{}; {} of them are {}", how_much, microseconds(std::min(gap, largest)), what);
  return fmt::format(
      "{}; launches, exchanges and memory explain {} of them at most, so it is the update itself and waiting: "
      "{:.4g} GFLOP/s where OpenMP has {:.4g}",
      how_much, microseconds(largest), row.gflop_per_s.median, reference.gflop_per_s.median);
}

}  // namespace

double updates_per_second(const Row& row) { return row.work.updates / row.time.median; }

std::string case_of(const Row& row) {
  return fmt::format("{}|{}|{}|{}|{}|{}", row.source, row.key.workload, row.case_digest(), row.steps(),
                     row.key.precision, row.part);
}

void compare_rows(std::vector<Row>& rows) {
  for (const auto& [name, group] : groups_by(rows, case_of)) {
    add_speed_ups(group, "textbook", &Row::over_textbook);
    add_speed_ups(group, "like-for-like", &Row::over_like_for_like);
    mark_best(group);
  }
  compare_builds(rows);
  for (const auto& [name, line] : groups_by(rows, strong_line)) add_scaling(line, &Row::strong);
  for (const auto& [name, line] : groups_by(rows, weak_line)) add_scaling(line, &Row::weak);
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

void add_portability(std::vector<Row>& rows) {
  const auto counts = [](const Row& row) { return row.is_right() && row.roofline.share_of_roof; };
  std::map<std::string, Devices> codes;
  for (const Row& row : rows) {
    if (!counts(row)) continue;
    const Row*& fastest = codes[code_of(row)][device_of(row)];
    if (!fastest || updates_per_second(row) > updates_per_second(*fastest)) fastest = &row;
  }
  for (Row& row : rows) {
    if (!counts(row)) continue;
    const Devices& devices = codes[code_of(row)];
    double inverse = 0.0;
    for (const auto& [name, fastest] : devices) inverse += 1.0 / *fastest->roofline.share_of_roof;
    row.portability = {static_cast<double>(devices.size()) / inverse, static_cast<int>(devices.size())};
  }
}

void add_shortfalls(std::vector<Row>& rows, const Peaks* peaks) {
  for (Row& row : rows) {
    if (!row.is_best_of_model || row.key.model == reference_model || !is_on_processor(row)) continue;
    const Row* const reference = reference_of(row, rows);
    if (!reference) continue;
    row.of_openmp = reference->time.median / row.time.median;
    if (*row.of_openmp < falls_short) row.behind_openmp = behind(row, *reference, peaks);
  }
}

}  // namespace boltzmark
