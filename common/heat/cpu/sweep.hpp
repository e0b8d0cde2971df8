// A step of some rows, by vectors.
#pragma once

#include "common/cpu/caches.hpp"
#include "common/cpu/processors.hpp"
#include "common/heat/cpu/grids.hpp"
#include "common/heat/cpu/rows.hpp"

namespace boltzmark::heat {

/// Whether the two grids are larger than the last-level caches: what is written then is not read again from them.
inline bool is_beyond_caches(const Plate& plate, int value_bytes) {
  return plate.bytes(value_bytes) > static_cast<double>(last_level_cache_bytes(usable_processors()));
}

/// Rows begin .. end - 1 of the grid that follows `grid`; the sum of the changes.
template <class T, int lanes>
double update_rows(Grids<T>& grids, int grid, std::int64_t begin, std::int64_t end, std::int64_t width,
                   bool past_caches) {
  using Rows = RowKernels<T, lanes>;
  double delta = 0.0;
  for (std::int64_t y = begin; y < end; ++y) {
    const T* const from = grids.row(grid, y);
    T* const to = grids.row(grid + 1, y);
    delta += past_caches ? Rows::template update<1, true>(from, to, grids.pitch(), width)
                         : Rows::template update<1>(from, to, grids.pitch(), width);
  }
  if (past_caches) streamed();
  return delta;
}

}  // namespace boltzmark::heat
