// A region's launch, and its record of where and how it really ran. Read by host and device code.
#pragma once

#include <cstdint>

namespace boltzmark::openmp_target {

/// Device of the regions, and the numbers of teams and of threads per team requested.
struct RegionLaunch {
  int device = 0, teams = 1, threads = 1;

  std::int64_t all_threads() const { return std::int64_t{teams} * threads; }
  /// Teams that this many threads need, at most all: a team without work costs a GPU as much as a short one.
  int teams_for(std::int64_t items) const {
    const std::int64_t needed = items > threads ? (items + threads - 1) / threads : 1;
    return needed < teams ? static_cast<int>(needed) : teams;
  }
};

/// Kept on the device by the regions themselves (record_launch of team.hpp).
struct LaunchRecord {
  std::int64_t regions = 0;             ///< regions that ran on an offload device
  std::int64_t mismatches = 0;          ///< regions with other teams or threads than launched
  std::int32_t teams = 0, threads = 0;  ///< of the latest of these: teams, and threads of a team
};

}  // namespace boltzmark::openmp_target
