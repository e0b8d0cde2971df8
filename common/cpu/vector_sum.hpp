// The sum of consecutive values in vectors.
#pragma once

#include <cstdint>

#include "common/cpu/simd.hpp"

namespace boltzmark {

/// Of `count` values.
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

}  // namespace boltzmark
