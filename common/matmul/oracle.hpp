// What is right: small products element by element, large ones by Freivalds' check.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "common/matmul/shape.hpp"

namespace boltzmark::matmul {

/// Puts a row of the C that is looked at into `values`.
using ReadRow = std::function<void(std::int64_t row, std::span<double> values)>;

/// How far a C is from the right one: 0 where it is right to the last bit, infinite where it is not a number.
class Oracle {
 public:
  Oracle(const Shape& shape, const Entries& entries) : shape_(shape), entries_(entries) {}

  /// Products of up to so many multiplications are compared element by element.
  static constexpr double most_multiplications = 1 << 27;
  bool is_by_element() const { return shape_.flops() / 2.0 <= most_multiplications; }

  /// The way for this size; what it returns is relative to the largest right value.
  double error(const ReadRow& read);

  /// Compares with the product in whole numbers, which is made the first time.
  double error_by_element(const ReadRow& read);

  /// Freivalds: where C = A B, also C x = A (B x), at the cost of three products with a vector. Of x there are
  /// `vectors`, of -1 and 1. A single wrong element always shows, whatever x; any other fault escapes each of them
  /// with a probability of at most a half. All numbers are whole and small, so nothing is rounded.
  double error_by_vectors(const ReadRow& read);
  static constexpr int vectors = 8;

 private:
  void make_product();
  void make_vectors();

  Shape shape_;
  Entries entries_;
  std::vector<std::int32_t> product_;
  std::vector<std::int8_t> x_;  ///< column by column of C, the vectors side by side
  std::vector<double> a_b_x_;   ///< row by row of C
};

}  // namespace boltzmark::matmul
