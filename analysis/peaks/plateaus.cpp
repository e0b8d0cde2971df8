// Bandwidths of levels of memory: the working sets of a sweep, and the plateaus in it.
#include "analysis/peaks/figures.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/ranges.hpp"
#include "common/base/statistics.hpp"

namespace boltzmark {
namespace {

constexpr std::int64_t kib = 1 << 10, mib = 1 << 20;
constexpr std::int64_t unbounded = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t least_memory_bytes = 128 * mib, least_largest_bytes = 192 * mib;
constexpr std::size_t least_points = 2;
constexpr std::ptrdiff_t device_window = 3;  // neighbouring points
constexpr double told_apart = 1.5;           // times as fast as memory
// Parts of a device's largest working set: memory's points begin at the one, a cache's end at the other.
constexpr double device_memory_share = 0.4, device_cache_share = 0.125;

using Points = std::vector<const MeasuredPoint*>;

/// Points by cores and pattern, in the order of their working sets.
std::map<std::pair<int, std::string>, Points> curves(const std::vector<MeasuredPoint>& sweep) {
  std::map<std::pair<int, std::string>, Points> found;
  for (const auto& point : sweep)
    if (!point.gb_per_s.empty()) found[{point.cores, point.pattern}].push_back(&point);
  for (auto& [key, points] : found) std::ranges::sort(points, {}, &MeasuredPoint::working_set_bytes);
  return found;
}

BandwidthPeak peak_of(const std::string& level, const Points& points) {
  std::vector<double> medians, all;
  for (const MeasuredPoint* const point : points) {
    medians.push_back(median(point->gb_per_s));
    all.insert(all.end(), point->gb_per_s.begin(), point->gb_per_s.end());
  }
  BandwidthPeak peak{.level = level,
                     .pattern = points.front()->pattern,
                     .cores = points.front()->cores,
                     .gb_per_s = spread_of(all),
                     .from_bytes = points.front()->working_set_bytes,
                     .to_bytes = points.back()->working_set_bytes,
                     .roof = confirmed_best(all)};
  peak.gb_per_s.median = median(medians);
  return peak;
}

/// One line with the reason why a level has no bandwidth.
std::string left_out(const LevelRange& range, const MeasuredPoint& curve, std::size_t points) {
  const std::string cores = counted(curve.cores, "core");
  if (range.from_bytes > range.to_bytes)
    return fmt::format("{}, {}: left out: twice the size of the levels below ({}) exceeds half of its size ({})",
                       range.level, cores, sized(range.from_bytes), sized(range.to_bytes));
  const std::string where = range.to_bytes == unbounded
                                ? fmt::format("from {} on", sized(range.from_bytes))
                                : fmt::format("from {} to {}", sized(range.from_bytes), sized(range.to_bytes));
  return fmt::format("{}, {}, {}: left out: expected at least {} working sets {}, found {}", range.level, cores,
                     curve.pattern, least_points, where, points);
}

double slowest(const Points& points) {
  return std::ranges::min(each(points, [](const MeasuredPoint* point) { return median(point->gb_per_s); }));
}

/// The fastest window of neighbouring points below `limit` bytes; none when there are too few.
Points fastest_window(const Points& points, std::int64_t limit) {
  Points fastest;
  for (auto first = points.begin(); points.end() - first >= device_window; ++first) {
    Points window(first, first + device_window);
    if (window.back()->working_set_bytes <= limit && (fastest.empty() || slowest(window) > slowest(fastest)))
      fastest = std::move(window);
  }
  return fastest;
}

/// Those of a curve that a level serves.
Points inside(const LevelRange& range, Points curve) {
  std::erase_if(curve, [&](const MeasuredPoint* point) { return !range.contains(point->working_set_bytes); });
  return curve;
}

}  // namespace

std::vector<LevelRange> level_ranges(const std::vector<CacheLevel>& caches, int cores) {
  std::vector<LevelRange> ranges;
  std::int64_t below = 0;
  for (const auto& cache : caches) {
    const std::int64_t own = cache.capacity(cores);
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
  const std::int64_t first = caches.empty() ? cores * 4 * kib : std::max(caches.front().capacity(cores) / 8, kib);
  const std::int64_t last = std::max(caches.empty() ? 0 : 6 * caches.back().capacity(cores), least_largest_bytes);
  std::vector<std::int64_t> sizes;
  for (int step = 0; sizes.empty() || sizes.back() < last; ++step) sizes.push_back(first << step);
  const std::size_t octaves = sizes.size();
  for (const auto& range : level_ranges(caches, cores)) {
    const auto inside = std::ranges::count_if(sizes, [&](std::int64_t size) { return range.contains(size); });
    const std::int64_t to = std::min(range.to_bytes, sizes[octaves - 1]);
    if (range.from_bytes >= to || inside >= static_cast<std::ptrdiff_t>(least_points)) continue;
    for (const int third : {1, 2}) sizes.push_back(range.from_bytes + (to - range.from_bytes) * third / 3);
  }
  std::ranges::sort(sizes);
  const std::int64_t limit = std::max(memory_bytes / 4, sizes.front());
  std::erase_if(sizes, [&](std::int64_t size) { return size > limit; });
  return sizes;
}

std::vector<BandwidthPeak> pick_plateaus(const std::vector<MeasuredPoint>& sweep, const std::vector<CacheLevel>& caches,
                                         std::vector<std::string>& notes) {
  std::vector<BandwidthPeak> peaks;
  for (const auto& [key, curve] : curves(sweep))
    for (const auto& range : level_ranges(caches, key.first)) {
      if (const Points found = inside(range, curve); found.size() >= least_points)
        peaks.push_back(peak_of(range.level, found));
      else
        add_once(notes, left_out(range, *curve.front(), found.size()));  // an empty range is every pattern's
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
    const Points found = inside(memory, curve);
    if (found.size() < least_points) {
      notes.push_back(fmt::format("memory, {}: left out: expected {} working sets from {} on, found {}", key.second,
                                  least_points, sized(memory.from_bytes), found.size()));
      continue;
    }
    peaks.push_back(peak_of(memory.level, found));
    const Points window = fastest_window(curve, share(device_cache_share));
    if (!window.empty() && slowest(window) >= told_apart * peaks.back().gb_per_s.median)
      peaks.push_back(peak_of("cache", window));
    else
      notes.push_back(fmt::format("cache, {}: left out: no {} neighbouring working sets are {} times as fast as memory",
                                  key.second, device_window, told_apart));
  }
  return peaks;
}

}  // namespace boltzmark
