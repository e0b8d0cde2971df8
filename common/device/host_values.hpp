// An array of a device's values on the host.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "common/base/half.hpp"
#include "common/base/precision.hpp"

namespace boltzmark::device {

/// Format of values on the device; f16 as in opencl/lbm/kernels/cells.h.
enum class Storage { f16, f32, f64 };
inline Storage storage_of(Precision precision) { return precision == Precision::f64 ? Storage::f64 : Storage::f32; }
inline std::size_t bytes_of(Storage storage) { return storage == Storage::f16 ? 2 : storage == Storage::f32 ? 4 : 8; }

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
    return static_cast<double>(half_to_float(stored<HalfBits>(at))) / half_units();
  }
  void set(std::size_t at, double value) {
    if (storage_ == Storage::f64) return store(at, value);
    if (storage_ == Storage::f32) return store(at, static_cast<float>(value));
    store(at, half_from_float(static_cast<float>(value * half_units())));
  }
  /// Values from `at` on.
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
