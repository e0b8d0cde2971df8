// Traffic of the sweeps over a grid that a processor's workers update in place.
#pragma once

#include "common/cpu/wavefront.hpp"
#include "common/lbm/cpu/plane_wavefront.hpp"
#include "common/lbm/traffic.hpp"

namespace boltzmark::lbm {

/// row_bytes: from one row of the grid to the next.
inline Traffic sweep_traffic(const GridBytes& grid, std::int64_t steps, const WavefrontPlan& plan, double row_bytes) {
  return swept_grid(grid, steps, plan.depth(), plan.workers() * row_bytes * (plan.depth() + 1));
}
inline Traffic sweep_traffic(const GridBytes& grid, std::int64_t steps, const PlaneWavefront& plan, double row_bytes) {
  const double window = plan.rows_at_work() * row_bytes * (plan.depth() + 1);
  const double of_tiles = (plan.rows_at_work() + plan.workers() * plan.depth()) * row_bytes * plan.planes();
  return swept_grid(grid, steps, plan.depth(), window, {double(plan.rows_again()) / plan.rows(), of_tiles});
}

}  // namespace boltzmark::lbm
