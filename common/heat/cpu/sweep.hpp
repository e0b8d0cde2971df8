// A step of some rows, by vectors.
#pragma once

#include <type_traits>

#include "common/cpu/caches.hpp"
#include "common/cpu/processors.hpp"
#include "common/heat/cpu/grids.hpp"
#include "common/heat/cpu/rows.hpp"

namespace boltzmark::heat {

/// Whether the two grids are larger than the last-level caches: what is written then is not read again from them.
inline bool is_beyond_caches(const Plate& plate, int value_bytes) {
  return plate.bytes(value_bytes) > static_cast<double>(last_level_cache_bytes(usable_processors()));
}

/// Rows begin .. end - 1 of the grid that follows `grid`; the sum of the changes. Four rows at once: a core waits less
/// for memory that it reads in several places.
template <class T, int lanes>
double update_rows(Grids<T>& grids, int grid, std::int64_t begin, std::int64_t end, std::int64_t width,
                   bool past_caches) {
  constexpr int at_once = 4;
  using Rows = RowKernels<T, lanes>;
  const auto update = [&]<int rows>(std::integral_constant<int, rows>, std::int64_t y) {
    const T* const from = grids.row(grid, y);
    T* const to = grids.row(grid + 1, y);
    return past_caches ? Rows::template update<rows, true>(from, to, grids.pitch(), width)
                       : Rows::template update<rows>(from, to, grids.pitch(), width);
  };
  double delta = 0.0;
  std::int64_t y = begin;
  for (; y + at_once <= end; y += at_once) delta += update(std::integral_constant<int, at_once>(), y);
  for (; y < end; ++y) delta += update(std::integral_constant<int, 1>(), y);
  if (past_caches) streamed();
  return delta;
}

}  // namespace boltzmark::heat
