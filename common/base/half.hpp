// Halves (IEEE 754 binary16): the format of `half` in kernels, and populations stored in it.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace boltzmark {

using HalfBits = std::uint16_t;

/// To nearest, ties to even.
inline HalfBits half_from_float(float value) {
  constexpr float largest = 65520.0f, smallest_normal = 0x1p-14f, denormal_unit = 0x1p-24f;
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<HalfBits>(bits >> 16 & 0x8000u);
  const float size = std::fabs(value);
  if (std::isnan(value)) return static_cast<HalfBits>(sign | 0x7e00u);
  if (size >= largest) return static_cast<HalfBits>(sign | 0x7c00u);
  // nearbyint rounds to nearest even, as floats do by default; a result of 1024 units is the smallest normal half.
  if (size < smallest_normal)
    return static_cast<HalfBits>(sign | static_cast<std::uint32_t>(std::nearbyint(size / denormal_unit)));
  const std::uint32_t magnitude = bits & 0x7fffffffu, odd = magnitude >> 13 & 1u;
  const std::uint32_t rounded = magnitude + 0xfffu + odd;  // a carry goes into the exponent, as it should
  return static_cast<HalfBits>(sign | ((rounded >> 13) - (112u << 10)));
}

inline float half_to_float(HalfBits half) {
  const int exponent = half >> 10 & 0x1f, digits = half & 0x3ff;
  float size = 0.0f;
  if (exponent == 0x1f)
    size = digits ? NAN : INFINITY;
  else
    size = exponent == 0 ? std::ldexp(static_cast<float>(digits), -24)
                         : std::ldexp(static_cast<float>(digits | 0x400), exponent - 25);
  return half & 0x8000 ? -size : size;
}

/// Factor from a value to its stored half. Not a variable, which device images would have to contain.
constexpr double half_units() { return 32768.0; }

/// A number stored as a half, in these units: deviations from a fluid at rest, around 1e-5 to 1e-2, are scaled into the
/// range in which a half has all its digits, from 6e-5 to 65504.
struct Half {
  HalfBits bits;

  Half() = default;
  Half(double value) : bits(half_from_float(static_cast<float>(value * half_units()))) {}
  operator double() const { return static_cast<double>(half_to_float(bits)) / half_units(); }
  Half& operator+=(double value) { return *this = *this + value; }
};

/// Type of the arithmetic if T is stored.
template <class T>
struct ArithmeticOf {
  using Type = T;
};
template <>
struct ArithmeticOf<Half> {
  using Type = float;
};
template <class T>
using Arithmetic = typename ArithmeticOf<T>::Type;

}  // namespace boltzmark
