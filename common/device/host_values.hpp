// An array of a device's values on the host, and halves, of IEEE 754's binary16: what kernels store as `half`.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "common/base/precision.hpp"

namespace boltzmark::device {

using HalfBits = std::uint16_t;

/// To nearest, ties to even.
inline HalfBits half_from_float(float value) {
  constexpr float largest = 65520.0f, smallest_normal = 0x1p-14f, denormal_unit = 0x1p-24f;
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<HalfBits>(bits >> 16 & 0x8000u);
  const float size = std::fabs(value);
  if (std::isnan(value)) return static_cast<HalfBits>(sign | 0x7e00u);
  if (size >= largest) return static_cast<HalfBits>(sign | 0x7c00u);
  // nearbyint rounds as floats do by default, to nearest even; what becomes 1024 units is the smallest normal half.
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

/// How values are stored on the device; f16 as opencl/lbm/kernels/cells.h has it.
enum class Storage { f16, f32, f64 };
inline Storage storage_of(Precision precision) { return precision == Precision::f64 ? Storage::f64 : Storage::f32; }
inline std::size_t bytes_of(Storage storage) { return storage == Storage::f16 ? 2 : storage == Storage::f32 ? 4 : 8; }
inline constexpr double half_units = 32768.0;  ///< a half is so many times what it stands for

class HostValues {
 public:
  HostValues() = default;
  HostValues(Storage storage, std::size_t count) : storage_(storage), bytes_(count * bytes_of(storage)) {}
  HostValues(Precision precision, std::int64_t count, double value = 0.0)
      : HostValues(storage_of(precision), static_cast<std::size_t>(count)) {
    for (std::size_t at = 0; value != 0.0 && at < static_cast<std::size_t>(count); ++at) set(at, value);
  }

  void* data() { return bytes_.data(); }
  std::size_t bytes() const { return bytes_.size(); }

  double operator[](std::size_t at) const {
    if (storage_ == Storage::f64) return stored<double>(at);
    if (storage_ == Storage::f32) return static_cast<double>(stored<float>(at));
    return static_cast<double>(half_to_float(stored<HalfBits>(at))) / half_units;
  }
  void set(std::size_t at, double value) {
    if (storage_ == Storage::f64) return store(at, value);
    if (storage_ == Storage::f32) return store(at, static_cast<float>(value));
    store(at, half_from_float(static_cast<float>(value * half_units)));
  }
  /// Those from `at` on.
  void read(std::int64_t at, std::span<double> into) const {
    for (std::size_t i = 0; i < into.size(); ++i) into[i] = (*this)[static_cast<std::size_t>(at) + i];
  }
  /// Returns work(values) with a span of floats or doubles.
  template <class Work>
  auto with(Work&& work) {
    const auto all = [&]<class T>(T* first) { return work(std::span(first, bytes() / sizeof(T))); };
    return storage_ == Storage::f64 ? all(static_cast<double*>(data())) : all(static_cast<float*>(data()));
  }

 private:
  template <class T>
  T stored(std::size_t at) const {
    T value;
    std::memcpy(&value, bytes_.data() + at * sizeof value, sizeof value);
    return value;
  }
  template <class T>
  void store(std::size_t at, T value) {
    std::memcpy(bytes_.data() + at * sizeof value, &value, sizeof value);
  }

  Storage storage_ = Storage::f32;
  std::vector<std::byte> bytes_;
};

}  // namespace boltzmark::device
