// Moving walls: what they add to the fluid after each step, on the device.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "openmp_target/lbm/grids.hpp"
#include "openmp_target/runtime/device_memory.hpp"
#include "openmp_target/runtime/team.hpp"

namespace boltzmark::openmp_target {

/// As a region reads them. Each team has those of the cells that it updates.
template <class T>
struct MovingWalls {
  const std::int32_t* begin;    ///< team t has numbers begin[t] .. begin[t + 1] - 1
  const WallGain<T>* gains[2];  ///< after steps of even and of odd number
};

#pragma omp begin declare target

/// Called by all threads of a team when it has done a step, `odd` or not; `walls` is null where nothing moves.
template <class T>
KERNEL_FN void add_wall_gains(const MovingWalls<T>* walls, int odd, T* grid) {
  if (walls == nullptr) return;
#pragma omp barrier
  const int team = omp_get_team_num(), end = walls->begin[team + 1];
  const WallGain<T>* const gains = walls->gains[odd];
  for (int i = walls->begin[team] + omp_get_thread_num(); i < end; i += omp_get_num_threads())
    grid[gains[i].value] += gains[i].gain;
}

#pragma omp end declare target

/// The host's side.
template <class T>
class WallGains {
 public:
  WallGains(const std::array<std::vector<WallGain<T>>, 2>& gains, const Launch& launch)
      : count_(static_cast<std::int64_t>(gains[0].size())),
        begin_(launch.teams + 1, launch.device),
        gains_(2 * count_, launch.device),
        walls_(1, launch.device) {
    if (!*this) return;
    for (const auto& gain : gains[0]) cells_.push_back(gain.cell);
    for (int odd = 0; odd < 2; ++odd) gains_.write(odd * count_, count_, gains[odd].data());
    const MovingWalls<T> walls = {begin_.data(), {gains_.data(), gains_.data() + count_}};
    walls_.write(0, 1, &walls);
  }
  explicit operator bool() const { return begin_ && gains_ && walls_; }

  /// Each team has `team_cells` cells, in row-by-row order.
  void divide(std::int64_t team_cells) const {
    std::vector<std::int32_t> begin;
    for (std::int64_t team = 0; team < begin_.size(); ++team)
      begin.push_back(static_cast<std::int32_t>(
          std::lower_bound(cells_.begin(), cells_.end(), team * team_cells) - cells_.begin()));
    begin_.write(0, begin_.size(), begin.data());
  }
  const MovingWalls<T>* on_device() const { return count_ == 0 ? nullptr : walls_.data(); }

 private:
  std::int64_t count_;
  std::vector<std::int64_t> cells_;
  DeviceArray<std::int32_t> begin_;
  DeviceArray<WallGain<T>> gains_;
  DeviceArray<MovingWalls<T>> walls_;
};

}  // namespace boltzmark::openmp_target
