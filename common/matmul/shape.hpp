// The sizes of a matrix multiplication.
#pragma once

#include <cstdint>
#include <string>

namespace boltzmark::matmul {

/// C (m x n) = A (m x k) B (k x n).
struct Shape {
  std::int64_t m = 1, n = 1, k = 1;

  double flops() const { return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k); }
  /// Values of A, B and C.
  double values() const {
    const auto rows = static_cast<double>(m), columns = static_cast<double>(n), depth = static_cast<double>(k);
    return rows * depth + depth * columns + rows * columns;
  }
  bool operator==(const Shape&) const = default;
};

/// With a longer inner product the check's small integers would leave the whole numbers that a float holds.
inline constexpr std::int64_t longest_depth = std::int64_t{1} << 20;
inline constexpr std::int64_t largest_size = std::int64_t{1} << 30;

/// "N" of square matrices, or "MxNxK". Throws Error (bad_input).
Shape parse_shape(const std::string& text);

/// The shorter of the two forms.
std::string to_string(const Shape& shape);

}  // namespace boltzmark::matmul
