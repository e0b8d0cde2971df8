// The sum of consecutive values in vectors, and those of the rows of a matrix.
#pragma once

#include <cstdint>
#include <utility>

#include "common/cpu/range.hpp"
#include "common/cpu/simd.hpp"

namespace boltzmark {

/// Sum of `count` values.
template <class T>
KERNEL_FN T sum_of(const T* values, std::int64_t count) {
  constexpr int lanes = native_lanes<T>, vectors = 4;
  using Vector = Pack<T, lanes>;
  std::int64_t i = 0;
  T sum = 0;
  if (count >= lanes) {
    Vector part[vectors];
    for (Vector& one : part) one = Vector::zero();
    for (; i + vectors * lanes <= count; i += vectors * lanes)
      for (int v = 0; v < vectors; ++v) part[v] = part[v] + Vector::load(values + i + v * lanes);
    for (; i + lanes <= count; i += lanes) part[0] = part[0] + Vector::load(values + i);
    sum = ((part[0] + part[1]) + (part[2] + part[3])).sum();
  }
  for (; i < count; ++i) sum += values[i];
  return sum;
}

/// The sums of neighbouring lanes, those of `a` first.
template <class T, int N, int... I>
KERNEL_FN Pack<T, N> sums_of_pairs(Pack<T, N> a, Pack<T, N> b, std::integer_sequence<int, I...>) {
  return {__builtin_shufflevector(a.raw, b.raw, 2 * I...) + __builtin_shufflevector(a.raw, b.raw, 2 * I + 1 ...)};
}
template <class T, int N>
KERNEL_FN Pack<T, N> sums_of_pairs(Pack<T, N> a, Pack<T, N> b) {
  return sums_of_pairs(a, b, std::make_integer_sequence<int, N>{});
}

/// One vector of `count`, a power of two: lane i has the sum of lanes i * count .. (i + 1) * count - 1 of all of them.
/// vector(number) is one of those from `first` on.
template <int count, class Vectors>
KERNEL_FN auto folded(const Vectors& vector, std::int64_t first = 0) {
  if constexpr (count == 1) {
    return vector(first);
  } else {
    const auto half = folded<count / 2>(vector, first);
    return sums_of_pairs(half, folded<count / 2>(vector, first + count / 2));
  }
}

/// The sums of rows of a constant length, a power of two below a vector's, in whole vectors. Returns the first
/// remaining row.
template <int length, class T>
KERNEL_FN std::int64_t sum_short_rows(const T* values, T* sums, Range rows) {
  constexpr int lanes = native_lanes<T>;
  std::int64_t row = rows.begin;
  if constexpr (length < lanes)
    for (; row + lanes <= rows.end; row += lanes)
      folded<length>([&](std::int64_t v) {
        return Pack<T, lanes>::load(values + row * length + v * lanes);
      }).store(sums + row);
  return row;
}

/// The same for any length: the vectors of each row are added up, then those of several rows are folded together. The
/// end of a row is read with values of the next one, so the last rows are not done.
template <class T>
KERNEL_FN std::int64_t sum_whole_rows(const T* values, std::int64_t length, T* sums, Range rows) {
  constexpr int lanes = native_lanes<T>;
  using Vector = Pack<T, lanes>;
  const auto mask = Vector::mask_from_bits((1u << length % lanes) - 1);
  const auto of_row = [&](std::int64_t row) __attribute__((always_inline)) {
    const T* const from = values + row * length;
    std::int64_t i = 0;
    Vector sum = Vector::zero();
    for (; i + lanes <= length; i += lanes) sum = sum + Vector::load(from + i);
    return sum + choose(mask, Vector::load(from + i), Vector::zero());
  };
  std::int64_t row = rows.begin;
  for (; (row + lanes) * length + lanes <= rows.end * length; row += lanes)
    folded<lanes>(of_row, row).store(sums + row);
  return row;
}

/// sums[row] of these rows of `length` values each.
template <class T>
inline void sum_rows(const T* values, std::int64_t length, T* sums, Range rows) {
  constexpr std::int64_t lanes = native_lanes<T>;
  if (length == 1)
    rows.begin = sum_short_rows<1>(values, sums, rows);
  else if (length == 2)
    rows.begin = sum_short_rows<2>(values, sums, rows);
  else if (length == 4)
    rows.begin = sum_short_rows<4>(values, sums, rows);
  else if (length == 8 && lanes > 8)
    rows.begin = sum_short_rows<8>(values, sums, rows);
  else if (length < 8 * lanes)
    rows.begin = sum_whole_rows(values, length, sums, rows);
  for (std::int64_t row = rows.begin; row < rows.end; ++row) sums[row] = sum_of(values + row * length, length);
}

}  // namespace boltzmark
