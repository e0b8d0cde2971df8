// What an index of a vectorised kernel takes where one source is for processors and GPUs: a vector of a processor, one
// value of a GPU's thread.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "common/base/real.h"
#ifndef __CUDACC__  // nvcc does not take vectors of a length that is a template's
#include "common/cpu/simd.hpp"
#endif

namespace boltzmark {

#ifdef __CUDACC__
template <bool on_processor, class T>
using LanesOn = T;
#else
template <bool on_processor, class T>
using LanesOn = std::conditional_t<on_processor, Pack<T, native_lanes<T>>, T>;

template <class T, int n>
KERNEL_FN double sum_of_lanes(const Pack<T, n>& value) {
  return static_cast<double>(value.sum());
}
#endif
KERNEL_FN double sum_of_lanes(float value) { return static_cast<double>(value); }
KERNEL_FN double sum_of_lanes(double value) { return value; }
KERNEL_FN float absolute(float x) { return std::abs(x); }
KERNEL_FN double absolute(double x) { return std::abs(x); }

/// Values of a vector.
template <class Real>
inline constexpr int lanes_in = sizeof(Real) / sizeof(typename RealTraits<Real>::Scalar);

template <class Real, class T>
KERNEL_FN Real load(const T* from) {
  Real value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}
template <class Real, class T>
KERNEL_FN void store(const Real& value, T* to) {
  __builtin_memcpy(to, &value, sizeof value);
}
/// Bit i of `bits` for lane i.
template <class Real>
KERNEL_FN auto mask_of(std::uint32_t bits) {
  if constexpr (lanes_in < Real >> 1)
    return Real::mask_from_bits(bits);
  else
    return bits != 0;
}

/// Sum of a * b over `count` elements, a multiple of the lanes. Equal terms round alike, so that these should be few a
/// lane.
template <class Real, class T>
KERNEL_FN double dot_in_lanes(const T* a, const T* b, std::int64_t count) {
  constexpr int lanes = lanes_in<Real>;
  Real part = load<Real>(a) * load<Real>(b);
  for (std::int64_t i = lanes; i < count; i += lanes) part = part + load<Real>(a + i) * load<Real>(b + i);
  return sum_of_lanes(part);
}

}  // namespace boltzmark
