// Rows updated in vector registers.
#pragma once

#include <cmath>
#include <cstddef>

#include "common/cpu/simd.hpp"

namespace boltzmark::heat {

template <class T, int lanes>
struct RowKernels {
  using Vector = Pack<T, lanes>;

  /// Columns 0 .. width - 1 of `rows` rows: `to` becomes a step later than `from`, rows of which are `pitch` apart and
  /// have their neighbours round them. The sum of the changes. Of rows below each other a value is read once for both
  /// that need it as a neighbour. With `past_caches` column 0 of `to` begins a vector, and the caller ends with
  /// streamed().
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

}  // namespace boltzmark::heat
