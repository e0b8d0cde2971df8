// The reference: small products element by element, large ones by Freivalds' check.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <vector>

#include "common/base/difference.hpp"
#include "common/cpu/blocks_in_parallel.hpp"
#include "common/matmul/shape.hpp"

namespace boltzmark::matmul {

/// Copies a row of the C to be checked into `values`; on any thread.
using ReadRow = std::function<void(std::int64_t row, std::span<double> values)>;

/// Deviation of a C from the right one, relative to the largest right value: 0 if it is right to the last bit, infinite
/// for NaN.
class Oracle {
 public:
  Oracle(const Shape& shape, const Entries& entries) : shape_(shape), entries_(entries) {}

  /// Products of at most this many multiplications are compared element by element.
  static constexpr double most_multiplications = 1 << 27;
  bool is_by_element() const { return shape_.flops() / 2.0 <= most_multiplications; }
  double error(const ReadRow& read) { return is_by_element() ? error_by_element(read) : error_by_vectors(read); }

  /// Compares with the product in whole numbers, which is computed at the first call.
  double error_by_element(const ReadRow& read) {
    if (product_.empty()) make_product();
    return error_of_rows(read, [this](std::int64_t row, std::span<const double> found, Difference& difference) {
      for (std::int64_t column = 0; column < shape_.n; ++column)
        difference.add(found[column], product_[row * shape_.n + column]);
    });
  }

  /// Freivalds: if C = A B, then C x = A (B x), at the cost of three products with a vector. There are `vectors`
  /// vectors x of -1 and 1. A single wrong element is always detected; any other fault escapes each vector with a
  /// probability of at most one half. All numbers are whole and small, so nothing is rounded.
  double error_by_vectors(const ReadRow& read) {
    if (x_.empty()) make_vectors();
    return error_of_rows(read, [this](std::int64_t row, std::span<const double> found, Difference& difference) {
      std::array<double, vectors> sums = {};
      for (std::int64_t column = 0; column < shape_.n; ++column)
        for (int v = 0; v < vectors; ++v) sums[v] += found[column] * x_[column * vectors + v];
      for (int v = 0; v < vectors; ++v) difference.add(sums[v], a_b_x_[row * vectors + v]);
    });
  }
  static constexpr int vectors = 8;

 private:
  template <class Compare>
  double error_of_rows(const ReadRow& read, Compare&& compare) const {
    Difference all;
    for (const Difference& of_block : blocks_in_parallel(shape_.m, 1 + (1 << 14) / shape_.n, [&](Range rows) {
           std::vector<double> found(static_cast<std::size_t>(shape_.n));
           Difference difference;
           for (std::int64_t row = rows.begin; row < rows.end; ++row) {
             read(row, found);
             compare(row, found, difference);
           }
           return difference;
         }))
      all.add(of_block);
    return all.relative(1.0);
  }

  void make_product() {
    const auto [m, n, k] = shape_;
    std::vector<std::int32_t> b(static_cast<std::size_t>(k * n));
    entries_.fill(Matrix::b, b.data(), n, 0, k, 0, n);
    product_.assign(static_cast<std::size_t>(m * n), 0);
    each_in_parallel(m, [&, n, k](std::int64_t row) {
      for (std::int64_t at = 0; at < k; ++at) {
        const std::int32_t a = entries_.at(Matrix::a, row, at);
        for (std::int64_t column = 0; column < n; ++column) product_[row * n + column] += a * b[at * n + column];
      }
    });
  }

  void make_vectors() {
    const auto [m, n, k] = shape_;
    std::mt19937 random(20140917);
    x_.resize(static_cast<std::size_t>(n * vectors));
    for (std::int8_t& one : x_) one = random() >> 31 ? 1 : -1;
    std::vector<double> b_x(static_cast<std::size_t>(k * vectors));
    each_in_parallel(k, [&, n](std::int64_t row) {
      std::array<int, vectors> sums = {};
      for (std::int64_t column = 0; column < n; ++column)
        for (int v = 0; v < vectors; ++v) sums[v] += entries_.at(Matrix::b, row, column) * x_[column * vectors + v];
      std::copy(sums.begin(), sums.end(), b_x.begin() + row * vectors);
    });
    a_b_x_.assign(static_cast<std::size_t>(m * vectors), 0.0);
    each_in_parallel(m, [&, k](std::int64_t row) {
      for (std::int64_t at = 0; at < k; ++at)
        for (int v = 0; v < vectors; ++v)
          a_b_x_[row * vectors + v] += entries_.at(Matrix::a, row, at) * b_x[at * vectors + v];
    });
  }

  Shape shape_;
  Entries entries_;
  std::vector<std::int32_t> product_;
  std::vector<std::int8_t> x_;  ///< by columns of C, with the vectors of each contiguous
  std::vector<double> a_b_x_;   ///< by rows of C
};

}  // namespace boltzmark::matmul
