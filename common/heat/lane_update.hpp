// The update of the heat equation in one source for processors and GPUs (common/cpu/lanes.hpp).
#pragma once

#include <cstdint>

#include "common/cpu/lanes.hpp"

namespace boltzmark::heat {

/// Cells from `from` on, as many as Real has values, to `to`, in grids with rows of `pitch` values: returns the sum of
/// their changes.
template <class Real, class T>
KERNEL_FN double update_cells(const T* from, T* to, std::int64_t pitch) {
  const Real centre = load<Real>(from), sides = load<Real>(from - 1) + load<Real>(from + 1);
  const Real next = (centre + (load<Real>(from - pitch) + load<Real>(from + pitch)) + sides) * T(0.2);
  store(next, to);
  return sum_of_lanes(absolute(next - centre));
}

}  // namespace boltzmark::heat
