// The matrices of a multiplication: their sizes, and the entries of A and B, pseudo-random integers from -4 to 4. All
// sums of their products are integers that a float holds exactly, so a right C is right to the last bit for any order
// of additions.
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

/// With a longer inner product, sums would exceed the integers that a float holds exactly.
inline constexpr std::int64_t longest_depth = std::int64_t{1} << 20;
inline constexpr std::int64_t largest_size = std::int64_t{1} << 30;

/// "N" for square matrices, or "MxNxK". Throws Error (bad_input).
Shape parse_shape(const std::string& text);

/// The shorter of the two forms.
std::string to_string(const Shape& shape);

enum class Matrix : std::uint32_t { a = 1, b = 2 };

/// Contents of the matrices.
enum class Filling {
  integers,  ///< see above
  constant,  ///< A all 3, B all 5, as in the course exercise: C is 15 K everywhere, so misplaced blocks go unnoticed
};

struct Entries {
  Filling filling = Filling::integers;

  int at(Matrix matrix, std::int64_t row, std::int64_t column) const {
    if (filling == Filling::constant) return matrix == Matrix::a ? 3 : 5;
    std::uint32_t mixed = static_cast<std::uint32_t>(row) * 0x9e3779b1u +
                          static_cast<std::uint32_t>(column) * 0x7feb352du +
                          static_cast<std::uint32_t>(matrix) * 0xc2b2ae35u;
    mixed = (mixed ^ (mixed >> 15)) * 0x85ebca6bu;
    mixed = (mixed ^ (mixed >> 13)) * 0xc2b2ae35u;
    // The upper bits times 9, shifted back: 0 .. 8.
    return static_cast<int>((static_cast<std::uint64_t>(mixed) * 9) >> 32) - 4;
  }

  /// Rows begin .. end - 1 and columns first .. first + columns - 1, into rows `stride` apart.
  template <class T>
  void fill(Matrix matrix, T* to, std::int64_t stride, std::int64_t begin, std::int64_t end, std::int64_t first,
            std::int64_t columns) const {
    for (std::int64_t row = begin; row < end; ++row)
      for (std::int64_t column = 0; column < columns; ++column)
        to[(row - begin) * stride + column] = static_cast<T>(at(matrix, row, first + column));
  }
};

}  // namespace boltzmark::matmul
