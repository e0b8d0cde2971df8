// The working-set sweep and the plateaus picked from it: which sizes are tried, and which of them speak for a
// level. docs/method/peaks.md states the rule; this is it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/roofline/peaks.hpp"

namespace boltzmark {

/// Working sets, all cores together, that a level serves. Empty when from_bytes > to_bytes.
struct LevelRange {
  std::string level;
  std::int64_t from_bytes = 0, to_bytes = 0;
  bool contains(std::int64_t bytes) const { return bytes >= from_bytes && bytes <= to_bytes; }
};

/// For each cache from twice what the one below holds to half of its own, for the first one from a quarter to
/// three quarters of its own; then DRAM from four times the last cache on, and from 128 MiB at least: a
/// virtual machine may hide caches. Capacities are those that `cores` cores reach together.
std::vector<LevelRange> level_ranges(const std::vector<CacheLevel>& caches, int cores);

/// Working sets to try: from an eighth of the first cache, or 4 KiB a core without one, in steps of the
/// square root of two to the first at or above six times the last cache and 192 MiB. A level whose range has
/// fewer than two of them gets two more between its ends. None is above a quarter of `memory_bytes` (0:
/// unknown).
std::vector<std::int64_t> sweep_sizes(const std::vector<CacheLevel>& caches, int cores, std::int64_t memory_bytes);

/// A point of a sweep with the repetitions behind it.
struct MeasuredPoint {
  std::string pattern;
  int cores = 0;
  std::int64_t working_set_bytes = 0;
  std::vector<double> gb_per_s;
};

/// "32.0 KiB", "12.0 MiB", "1.50 GiB".
std::string sized(std::int64_t bytes);

/// The bandwidth of every level in every pattern and number of cores of the sweep: the median of the medians
/// of the points in the level's range; smallest and largest repetition of them. It takes two points; a level
/// with fewer is left out and `notes` says so.
std::vector<BandwidthPeak> pick_plateaus(const std::vector<MeasuredPoint>& sweep, const std::vector<CacheLevel>& caches,
                                         std::vector<std::string>& notes);

/// The same for an OpenCL device, whose caches are not known well enough. "memory": the points from half of
/// the largest working set on. "cache": of all runs of three neighbouring points below an eighth of it, the
/// one whose slowest point is fastest, if that is at least one and a half times as fast as memory.
std::vector<BandwidthPeak> pick_device_plateaus(const std::vector<MeasuredPoint>& sweep,
                                                std::vector<std::string>& notes);

}  // namespace boltzmark
