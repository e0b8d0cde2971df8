// Packs of any power of two of lanes: one number, a pack of at most the processor's own vectors (simd.hpp), or two
// halves. Compilers split vector types that are longer than registers too, but through memory.
#pragma once

#include "common/cpu/simd.hpp"

namespace boltzmark {

template <class T, int N>
struct Wide;

/// The REAL of N lanes.
template <class T, int N>
struct RealOfLanes {
  using Type = std::conditional_t<(N > native_lanes<T>), Wide<T, N>, Pack<T, N>>;
};
template <class T>
struct RealOfLanes<T, 1> {
  using Type = T;
};

template <class T, int N>
struct Wide {
  using Half = typename RealOfLanes<T, N / 2>::Type;
  static constexpr int lanes = N;

  Half low, high;

  KERNEL_FN friend Wide operator+(Wide a, Wide b) { return {a.low + b.low, a.high + b.high}; }
  KERNEL_FN friend Wide operator-(Wide a, Wide b) { return {a.low - b.low, a.high - b.high}; }
  KERNEL_FN friend Wide operator*(Wide a, Wide b) { return {a.low * b.low, a.high * b.high}; }
  KERNEL_FN friend Wide operator+(Wide a, T b) { return {a.low + b, a.high + b}; }
  KERNEL_FN friend Wide operator-(Wide a, T b) { return {a.low - b, a.high - b}; }
  KERNEL_FN friend Wide operator*(Wide a, T b) { return {a.low * b, a.high * b}; }
  KERNEL_FN friend Wide ratio(T a, Wide b) { return {ratio(a, b.low), ratio(a, b.high)}; }
  KERNEL_FN friend Wide multiply_add(Wide a, T b, Wide c) {
    return {multiply_add(a.low, b, c.low), multiply_add(a.high, b, c.high)};
  }
  KERNEL_FN friend Wide multiply_add(Wide a, Wide b, Wide c) {
    return {multiply_add(a.low, b.low, c.low), multiply_add(a.high, b.high, c.high)};
  }
  KERNEL_FN friend void store_past_caches(Wide x, T* to) {
    store_past_caches(x.low, to);
    store_past_caches(x.high, to + N / 2);
  }

  static KERNEL_FN Wide zero() { return {Half::zero(), Half::zero()}; }
  static KERNEL_FN Wide load(const T* from) { return {Half::load(from), Half::load(from + N / 2)}; }
  KERNEL_FN void store(T* to) const {
    low.store(to);
    high.store(to + N / 2);
  }
};

template <class T, int N>
struct RealTraits<Wide<T, N>> {
  using Scalar = T;
};

}  // namespace boltzmark
