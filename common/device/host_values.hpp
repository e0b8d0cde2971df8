// An array of the precision's values on the host, on its way to or from a device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "common/base/precision.hpp"

namespace boltzmark::device {

class HostValues {
 public:
  HostValues() = default;
  HostValues(Precision precision, std::int64_t count, double value = 0.0) {
    const auto values = static_cast<std::size_t>(count);
    if (precision == Precision::f64)
      values_ = std::vector<double>(values, value);
    else
      values_ = std::vector<float>(values, static_cast<float>(value));
  }

  /// Returns work(values) with a vector of floats or doubles.
  template <class Work>
  auto with(Work&& work) {
    return std::visit(work, values_);
  }

  void* data() {
    return with([](auto& values) -> void* { return values.data(); });
  }
  std::size_t bytes() const {
    return std::visit([](const auto& values) { return values.size() * sizeof values[0]; }, values_);
  }
  /// Those from `at` on.
  void read(std::int64_t at, std::span<double> into) const {
    std::visit([&](const auto& values) { std::copy_n(values.begin() + at, into.size(), into.begin()); }, values_);
  }

 private:
  std::variant<std::vector<float>, std::vector<double>> values_;
};

}  // namespace boltzmark::device
