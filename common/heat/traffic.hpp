// Traffic of several steps of a plate in one sweep (common/run/swept.hpp).
#pragma once

#include "common/heat/plate.hpp"
#include "common/run/swept.hpp"

namespace boltzmark::heat {

inline double grids_bytes(const Plate& plate, int value_bytes) { return 2.0 * plate.cells() * value_bytes; }

/// For steps that alternate between two grids while the rows in progress are in a cache. A sweep reads one grid and
/// fetches the other, and both are written back; a last sweep of one step saves one of these four passes. `near`: bytes
/// of the rows that a step takes at once, if these are enough that half of its traffic was just touched by the step
/// before.
inline Traffic swept_in_turns(const Plate& plate, int value_bytes, std::int64_t steps, int depth, double window,
                              double near = 0.0, Overlap overlap = {}) {
  const double share = sweeps_a_step(steps, depth), sweeps = share * static_cast<double>(steps);
  const double values = steps > 0 && steps % depth == 1 ? 4.0 - 1.0 / sweeps : 4.0;
  return swept({.grid = grids_bytes(plate, value_bytes),
                .per_update = share < 1.0 ? 2.0 * value_bytes : 3.0 * value_bytes,
                .of_sweep = values * value_bytes,
                .steps_share = share,
                .window = window,
                .near_share = near > 0.0 ? 0.5 : 0.0,
                .near_bytes = near,
                .overlap = overlap});
}

/// For steps whose rows are on the chip between the grid that a launch reads and the one that it writes.
inline Traffic launched_steps(const Plate& plate, int value_bytes, std::int64_t steps, int depth, bool write_allocate) {
  const double values = write_allocate ? 3.0 : 2.0;
  return {{"grids", grids_bytes(plate, value_bytes), values * value_bytes * sweeps_a_step(steps, depth)}};
}

}  // namespace boltzmark::heat
