// Moving walls: their push on the fluid after each step, on the device.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "openmp_target/runtime/device_memory.hpp"
#include "openmp_target/runtime/team.hpp"

namespace boltzmark::openmp_target {

/// Push of a moving wall on one value of a grid after a step.
template <class T>
struct WallGain {
  std::int64_t cell;   ///< that moves, in row-by-row order
  std::int64_t value;  ///< index in the grid
  T gain;
};

/// The pushes for a region, by parts of the grid: the cells of a team, or a row.
template <class T>
struct MovingWalls {
  const std::int32_t* begin;    ///< part t has numbers begin[t] .. begin[t + 1] - 1
  const WallGain<T>* gains[2];  ///< after steps of even and of odd number
};

#pragma omp begin declare target

/// Called by all threads of a team when it has done a step, `odd` or not; `walls` is null if nothing moves.
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
  WallGains() = default;
  /// Pushes after steps of even and of odd number, by ascending cell; equally many for both.
  WallGains(const std::array<std::vector<WallGain<T>>, 2>& gains, int device)
      : device_(device), gains_(static_cast<std::int64_t>(2 * gains[0].size()), device) {
    for (const auto& gain : gains[0]) cells_.push_back(gain.cell);
    for (int odd = 0; odd < 2; ++odd) gains_.write(odd * count(), count(), gains[odd].data());
  }

  /// Divides them into parts of this many cells each, in row-by-row order.
  void divide(std::int64_t parts, std::int64_t cells) {
    std::vector<std::int32_t> begin;
    for (std::int64_t part = 0; part <= parts; ++part)
      begin.push_back(
          static_cast<std::int32_t>(std::lower_bound(cells_.begin(), cells_.end(), part * cells) - cells_.begin()));
    begin_ = openmp_target::on_device(begin, device_);
    walls_ =
        openmp_target::on_device<MovingWalls<T>>({{begin_.data(), {gains_.data(), gains_.data() + count()}}}, device_);
  }
  const MovingWalls<T>* on_device() const { return cells_.empty() ? nullptr : walls_.data(); }

 private:
  std::int64_t count() const { return static_cast<std::int64_t>(cells_.size()); }

  int device_ = 0;
  std::vector<std::int64_t> cells_;
  DeviceArray<std::int32_t> begin_;
  DeviceArray<WallGain<T>> gains_;
  DeviceArray<MovingWalls<T>> walls_;
};

}  // namespace boltzmark::openmp_target
