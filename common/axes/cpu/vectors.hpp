// Sums along an axis in vectors, for the fastest variants of the CPU models.
//
//     axes 0 .. 2   the sums of neighbouring elements in vectors that move along the axis together
//     axis 3        the sums of rows (common/cpu/vector_sum.hpp)
#pragma once

#include <algorithm>
#include <cstdint>

#include "common/cpu/range.hpp"
#include "common/cpu/simd.hpp"
#include "common/cpu/vector_sum.hpp"

namespace boltzmark::axes {

/// First element of sum number `sum`; each sum has `count` elements, `apart` from one another.
KERNEL_FN std::int64_t first_of_sum(std::int64_t sum, std::int64_t count, std::int64_t apart) {
  return sum / apart * apart * count + sum % apart;
}

/// Sums of neighbouring columns: at least one vector and at most `vectors`; the last vectors end with the last column.
template <int vectors, class T>
KERNEL_FN void sum_columns(const T* from, std::int64_t count, std::int64_t apart, T* sums, std::int64_t columns) {
  constexpr int lanes = native_lanes<T>;
  using Vector = Pack<T, lanes>;
  const auto at = [&](int v) { return std::min(std::int64_t{v} * lanes, columns - lanes); };
  Vector part[vectors];
  for (int v = 0; v < vectors; ++v) part[v] = Vector::zero();
  for (std::int64_t i = 0; i < count; ++i)
    for (int v = 0; v < vectors; ++v) part[v] = part[v] + Vector::load(from + i * apart + at(v));
  for (int v = 0; v < vectors; ++v) part[v].store(sums + at(v));
}

/// sums[on], each of `count` elements of `values`, `apart` from one another.
template <class T>
inline void add_up(const T* values, std::int64_t count, std::int64_t apart, T* sums, Range on) {
  constexpr std::int64_t lanes = native_lanes<T>;
  if (apart == 1) return sum_rows(values, count, sums, on);
  for (std::int64_t sum = on.begin; sum < on.end;) {
    const T* const from = values + first_of_sum(sum, count, apart);
    const std::int64_t left = std::min(on.end, (sum / apart + 1) * apart) - sum, columns = std::min(left, 8 * lanes);
    if (columns > 4 * lanes)
      sum_columns<8>(from, count, apart, sums + sum, columns);
    else if (columns > 2 * lanes)
      sum_columns<4>(from, count, apart, sums + sum, columns);
    else if (columns >= lanes)
      sum_columns<2>(from, count, apart, sums + sum, columns);
    else
      for (std::int64_t column = 0; column < columns; ++column) {
        T one = 0;
        for (std::int64_t i = 0; i < count; ++i) one += from[i * apart + column];
        sums[sum + column] = one;
      }
    sum += columns;
  }
}

}  // namespace boltzmark::axes
