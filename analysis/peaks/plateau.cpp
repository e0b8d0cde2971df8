#include "analysis/peaks/plateau.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "analysis/support/by_name.hpp"
#include "analysis/support/table.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

constexpr std::int64_t kib = 1 << 10, mib = 1 << 20;
constexpr std::int64_t unbounded = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t least_memory_bytes = 128 * mib, least_largest_bytes = 192 * mib;
constexpr std::size_t least_points = 2;
constexpr std::size_t device_window = 3;  // neighbouring points
constexpr double told_apart = 1.5;        // times as fast as memory
// Parts of a device's largest working set: memory's points begin at the one, a cache's end at the other.
constexpr double device_memory_share = 0.4, device_cache_share = 0.125;

/// Bytes that `cores` cores reach of a level.
std::int64_t capacity(const CacheLevel& cache, int cores) {
  const int sharing = std::max(cache.cores, 1);
  return cache.bytes * std::min(cache.instances, (cores + sharing - 1) / sharing);
}

std::int64_t last_capacity(const std::vector<CacheLevel>& caches, int cores) {
  return caches.empty() ? 0 : capacity(caches.back(), cores);
}

using Points = std::vector<const MeasuredPoint*>;

/// Points by cores and pattern, in the order of their working sets.
std::map<std::pair<int, std::string>, Points> curves(const std::vector<MeasuredPoint>& sweep) {
  std::map<std::pair<int, std::string>, Points> found;
  for (const auto& point : sweep)
    if (!point.gb_per_s.empty()) found[{point.cores, point.pattern}].push_back(&point);
  for (auto& [key, points] : found)
    std::sort(points.begin(), points.end(), [](const MeasuredPoint* a, const MeasuredPoint* b) {
      return a->working_set_bytes < b->working_set_bytes;
    });
  return found;
}

BandwidthPeak peak_of(const std::string& level, const Points& points) {
  std::vector<double> medians, all;
  for (const MeasuredPoint* const point : points) {
    medians.push_back(spread_of(point->gb_per_s).median);
    all.insert(all.end(), point->gb_per_s.begin(), point->gb_per_s.end());
  }
  BandwidthPeak peak{.level = level,
                     .pattern = points.front()->pattern,
                     .cores = points.front()->cores,
                     .gb_per_s = spread_of(all),
                     .from_bytes = points.front()->working_set_bytes,
                     .to_bytes = points.back()->working_set_bytes};
  peak.gb_per_s.median = spread_of(medians).median;
  return peak;
}

/// Why a level has no bandwidth: one line.
std::string left_out(const LevelRange& range, const MeasuredPoint& curve, std::size_t points) {
  const std::string cores = counted(curve.cores, "core");
  if (range.from_bytes > range.to_bytes)
    return fmt::format("{}, {}: left out: twice what the levels below hold ({}) is more than half of it ({})",
                       range.level, cores, sized(range.from_bytes), sized(range.to_bytes));
  const std::string where = range.to_bytes == unbounded
                                ? fmt::format("from {} on", sized(range.from_bytes))
                                : fmt::format("from {} to {}", sized(range.from_bytes), sized(range.to_bytes));
  return fmt::format("{}, {}, {}: left out: expected at least {} working sets {}, found {}", range.level, cores,
                     curve.pattern, least_points, where, points);
}

double slowest(const Points& points, std::size_t first) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = first; i < first + device_window; ++i)
    least = std::min(least, spread_of(points[i]->gb_per_s).median);
  return least;
}

/// The fastest window of neighbouring points below `limit` bytes; none when there are too few.
Points fastest_window(const Points& points, std::int64_t limit) {
  Points window;
  double best = 0.0;
  for (std::size_t i = 0; i + device_window <= points.size(); ++i) {
    if (points[i + device_window - 1]->working_set_bytes > limit || slowest(points, i) <= best) continue;
    best = slowest(points, i);
    window.assign(points.begin() + static_cast<std::ptrdiff_t>(i),
                  points.begin() + static_cast<std::ptrdiff_t>(i + device_window));
  }
  return window;
}

}  // namespace

std::string sized(std::int64_t bytes) {
  constexpr double gib = 1 << 30;
  const auto size = static_cast<double>(bytes);
  if (bytes < mib) return significant(size / kib, 3) + " KiB";
  return size < gib ? significant(size / mib, 3) + " MiB" : significant(size / gib, 3) + " GiB";
}

std::vector<LevelRange> level_ranges(const std::vector<CacheLevel>& caches, int cores) {
  std::vector<LevelRange> ranges;
  std::int64_t below = 0;
  for (const auto& cache : caches) {
    const std::int64_t own = capacity(cache, cores);
    if (below == 0)
      ranges.push_back({cache.name, own / 4, own / 4 * 3});
    else
      ranges.push_back({cache.name, 2 * below, own / 2});
    below = std::max(below, own);
  }
  ranges.push_back({"DRAM", std::max(4 * below, least_memory_bytes), unbounded});
  return ranges;
}

std::vector<std::int64_t> sweep_sizes(const std::vector<CacheLevel>& caches, int cores, std::int64_t memory_bytes) {
  const std::int64_t first = caches.empty() ? cores * 4 * kib : std::max(capacity(caches.front(), cores) / 8, kib);
  const std::int64_t last = std::max(6 * last_capacity(caches, cores), least_largest_bytes);
  std::vector<std::int64_t> sizes;
  for (int step = 0; sizes.empty() || sizes.back() < last; ++step)
    sizes.push_back(std::llround(static_cast<double>(first) * std::exp2(0.5 * step)));
  for (const auto& range : level_ranges(caches, cores)) {
    const auto inside =
        std::count_if(sizes.begin(), sizes.end(), [&](std::int64_t size) { return range.contains(size); });
    if (range.to_bytes == unbounded || range.from_bytes >= range.to_bytes ||
        inside >= static_cast<std::ptrdiff_t>(least_points))
      continue;
    for (const int third : {1, 2}) sizes.push_back(range.from_bytes + (range.to_bytes - range.from_bytes) * third / 3);
  }
  std::sort(sizes.begin(), sizes.end());
  const std::int64_t limit = std::max(memory_bytes / 4, sizes.front());
  std::erase_if(sizes, [&](std::int64_t size) { return size > limit; });
  return sizes;
}

std::vector<BandwidthPeak> pick_plateaus(const std::vector<MeasuredPoint>& sweep, const std::vector<CacheLevel>& caches,
                                         std::vector<std::string>& notes) {
  std::vector<BandwidthPeak> peaks;
  for (const auto& [key, curve] : curves(sweep))
    for (const auto& range : level_ranges(caches, key.first)) {
      Points inside;
      for (const MeasuredPoint* const point : curve)
        if (range.contains(point->working_set_bytes)) inside.push_back(point);
      if (inside.size() >= least_points)
        peaks.push_back(peak_of(range.level, inside));
      else
        add_once(notes, left_out(range, *curve.front(), inside.size()));  // an empty range is every pattern's
    }
  return peaks;
}

std::vector<BandwidthPeak> pick_device_plateaus(const std::vector<MeasuredPoint>& sweep,
                                                std::vector<std::string>& notes) {
  std::vector<BandwidthPeak> peaks;
  for (const auto& [key, curve] : curves(sweep)) {
    const auto share = [&](double part) {
      return static_cast<std::int64_t>(part * static_cast<double>(curve.back()->working_set_bytes));
    };
    const LevelRange memory = {"memory", share(device_memory_share), unbounded};
    Points inside;
    for (const MeasuredPoint* const point : curve)
      if (memory.contains(point->working_set_bytes)) inside.push_back(point);
    if (inside.size() < least_points) {
      notes.push_back(fmt::format("memory, {}: left out: expected {} working sets from {} on, found {}", key.second,
                                  least_points, sized(memory.from_bytes), inside.size()));
      continue;
    }
    peaks.push_back(peak_of(memory.level, inside));
    const Points window = fastest_window(curve, share(device_cache_share));
    if (!window.empty() && slowest(window, 0) >= told_apart * peaks.back().gb_per_s.median)
      peaks.push_back(peak_of("cache", window));
    else
      notes.push_back(
          fmt::format("cache, {}: left out: no {} neighbouring working sets are {} times as fast "
                      "as memory",
                      key.second, device_window, told_apart));
  }
  return peaks;
}

}  // namespace boltzmark
