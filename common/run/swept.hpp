// Traffic of time steps over a grid, from the shape of a variant. All numbers are lower bounds, so that no run can be
// faster than its roofs. Each byte is counted in a single set: the sets that one level holds add up to the bytes that a
// step moves.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

#include "common/run/traffic.hpp"

namespace boltzmark {

/// Sweeps over the grid per step, for `steps` steps in sweeps of at most `depth`.
inline double sweeps_a_step(std::int64_t steps, std::int64_t depth) {
  const std::int64_t of_sweep = std::max<std::int64_t>(1, depth), done = steps > 0 ? steps : of_sweep;
  return static_cast<double>((done + of_sweep - 1) / of_sweep) / static_cast<double>(done);
}

/// Without empty sets, from the largest to the smallest.
inline Traffic in_order(Traffic sets) {
  std::erase_if(sets, [](const WorkingSet& set) { return set.per_update <= 0.0 || set.bytes <= 0.0; });
  std::ranges::stable_sort(sets, std::greater(), &WorkingSet::bytes);
  return sets;
}

/// Data to which a sweep returns.
struct Overlap {
  double share = 0.0;  ///< of the grid
  double bytes = 0.0;  ///< of the data that it passes over in between
};

struct Sweep {
  double grid = 0.0;         ///< bytes of all data
  double per_update = 0.0;   ///< bytes that a step moves, at the level that holds its data
  double of_sweep = 0.0;     ///< bytes that a sweep of several steps moves for each cell
  double steps_share = 1.0;  ///< sweeps_a_step()
  double window = 0.0;       ///< bytes of the layers in progress, of all workers together
  double near_share = 0.0;   ///< of per_update: data over which the previous step has just passed
  double near_bytes = 0.0;   ///< of one step's layers of these
  Overlap overlap = {};
};

/// Traffic of several steps in one sweep over the grid, with the layers in progress in a cache.
inline Traffic swept(const Sweep& s) {
  if (s.steps_share >= 1.0) return {{"grid", s.grid, s.per_update}};
  const double through_grid = s.of_sweep * s.steps_share, again = through_grid * s.overlap.share;
  const double window = std::min(s.window, s.grid), near = s.per_update * s.near_share;
  return in_order({{"grid", s.grid, through_grid},
                   {"overlap", std::clamp(s.overlap.bytes, window, s.grid), again},
                   {"window", window, s.per_update - through_grid - again - near},
                   {"layers", std::min(s.near_bytes, window), near}});
}

}  // namespace boltzmark
