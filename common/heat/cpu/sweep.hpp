// Rows updated in vector registers, and a step of some of them.
#pragma once

#include <cmath>
#include <cstddef>
#include <type_traits>

#include "common/cpu/caches.hpp"
#include "common/cpu/processors.hpp"
#include "common/cpu/simd.hpp"
#include "common/heat/cpu/grids.hpp"

namespace boltzmark::heat {

template <class T, int lanes>
struct RowKernels {
  using Vector = Pack<T, lanes>;

  /// Columns 0 .. width - 1 of `rows` rows: `to` becomes one step later than `from`, whose rows are `pitch` apart and
  /// surrounded by their neighbours. Returns the sum of the changes. A value that two adjacent rows need as a neighbour
  /// is read once for both. With `past_caches` column 0 of `to` begins a vector, and the caller ends with streamed().
  template <int rows, bool past_caches = false>
  static double update(const T* from, T* to, std::ptrdiff_t pitch, std::ptrdiff_t width) {
    Vector changes[rows];
    for (auto& change : changes) change = Vector::zero();
    std::ptrdiff_t x = 0;
    for (; x + lanes <= width; x += lanes) {
      Vector north = Vector::load(from - pitch + x), centre = Vector::load(from + x);
      for (int y = 0; y < rows; ++y) {
        const T* const at = from + y * pitch + x;
        const Vector south = Vector::load(at + pitch), sides = Vector::load(at - 1) + Vector::load(at + 1);
        const Vector later = (centre + (north + south) + sides) * T(0.2);
        if constexpr (past_caches)
          store_past_caches(later, to + y * pitch + x);
        else
          later.store(to + y * pitch + x);
        changes[y] = changes[y] + absolute(later - centre);
        north = centre;
        centre = south;
      }
    }
    Vector all = changes[0];
    for (int y = 1; y < rows; ++y) all = all + changes[y];
    double delta = static_cast<double>(all.sum());
    for (; x < width; ++x)
      for (int y = 0; y < rows; ++y) delta += update_cell(from + y * pitch + x, to + y * pitch + x, pitch);
    return delta;
  }

 private:
  static double update_cell(const T* from, T* to, std::ptrdiff_t pitch) {
    *to = T(0.2) * (*from + (from[-pitch] + from[pitch]) + (from[-1] + from[1]));
    return static_cast<double>(std::abs(*to - *from));
  }
};

/// Whether the two grids exceed the last-level caches, so that written values are not read again from caches.
inline bool is_beyond_caches(const Plate& plate, int value_bytes) {
  return plate.bytes(value_bytes) > static_cast<double>(last_level_cache_bytes(usable_processors()));
}

/// Updates rows begin .. end - 1 of the grid `to` from the previous grid `from`, both pointers to column 0 of row 0;
/// returns the sum of the changes. Four rows at once: a core waits less for memory that it reads in several places.
template <class T, int lanes>
double update_rows(const T* from, T* to, std::ptrdiff_t pitch, std::int64_t begin, std::int64_t end,
                   std::ptrdiff_t width, bool past_caches) {
  constexpr int at_once = 4;
  using Rows = RowKernels<T, lanes>;
  const auto update = [&]<int rows>(std::integral_constant<int, rows>, std::int64_t y) {
    return past_caches ? Rows::template update<rows, true>(from + y * pitch, to + y * pitch, pitch, width)
                       : Rows::template update<rows>(from + y * pitch, to + y * pitch, pitch, width);
  };
  double delta = 0.0;
  std::int64_t y = begin;
  for (; y + at_once <= end; y += at_once) delta += update(std::integral_constant<int, at_once>(), y);
  for (; y < end; ++y) delta += update(std::integral_constant<int, 1>(), y);
  if (past_caches) streamed();
  return delta;
}
/// For the grid that follows `grid`.
template <class T, int lanes>
double update_rows(Grids<T>& grids, int grid, std::int64_t begin, std::int64_t end, std::int64_t width,
                   bool past_caches) {
  return update_rows<T, lanes>(grids.row(grid, 0), grids.row(grid + 1, 0), grids.pitch, begin, end, width, past_caches);
}

}  // namespace boltzmark::heat
