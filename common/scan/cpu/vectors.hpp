// The prefix sums of a stretch in vectors, for the fastest variants of the CPU models.
//
//     v = next vector
//     v += v one lane up;  v += v two lanes up;  v += v four lanes up ...     now lane i has the sum of lanes 0 .. i
//     v += sum so far;     sum so far = last lane
#pragma once

#include <utility>

#include "common/cpu/range.hpp"
#include "common/cpu/vector_sum.hpp"

namespace boltzmark::scan {

/// Moves the lanes up by `by`; zeros fill in below.
template <int by, class T, int N, int... I>
KERNEL_FN Pack<T, N> lanes_up(Pack<T, N> v, std::integer_sequence<int, I...>) {
  return {__builtin_shufflevector((Pack<T, N>::zero().raw), v.raw, (I < by ? I : N + I - by)...)};
}

template <int by = 1, class T, int N>
KERNEL_FN Pack<T, N> sums_of_lanes(Pack<T, N> v) {
  if constexpr (by >= N)
    return v;
  else
    return sums_of_lanes<2 * by>(v + lanes_up<by>(v, std::make_integer_sequence<int, N>{}));
}

/// sums[i] becomes `before` and all values of the stretch up to i. Returns the last of them.
template <class T>
T scan_range(const T* values, T* sums, Range on, T before) {
  constexpr int lanes = native_lanes<T>;
  using Vector = Pack<T, lanes>;
  std::int64_t i = on.begin;
  for (; i + lanes <= on.end; i += lanes) {
    const Vector v = sums_of_lanes(Vector::load(values + i));
    (v + before).store(sums + i);
    before += v.raw[lanes - 1];
  }
  for (; i < on.end; ++i) sums[i] = before += values[i];
  return before;
}

}  // namespace boltzmark::scan
