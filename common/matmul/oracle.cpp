#include "common/matmul/oracle.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace boltzmark::matmul {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// The largest of differences from what is right, on the scale of the largest right value.
struct Worst {
  double difference = 0.0, scale = 1.0;

  void take(double found, double right) {
    const double by = std::abs(found - right);
    difference = std::isfinite(by) ? std::max(difference, by) : infinite;
    scale = std::max(scale, std::abs(right));
  }
  double relative() const { return difference / scale; }
};

}  // namespace

double Oracle::error(const ReadRow& read) { return is_by_element() ? error_by_element(read) : error_by_vectors(read); }

void Oracle::make_product() {
  const auto [m, n, k] = shape_;
  std::vector<std::int32_t> b(static_cast<std::size_t>(k * n));
  entries_.fill(Matrix::b, b.data(), n, 0, k, 0, n);
  product_.assign(static_cast<std::size_t>(m * n), 0);
  for (std::int64_t row = 0; row < m; ++row)
    for (std::int64_t at = 0; at < k; ++at) {
      const std::int32_t a = entries_.at(Matrix::a, row, at);
      for (std::int64_t column = 0; column < n; ++column) product_[row * n + column] += a * b[at * n + column];
    }
}

double Oracle::error_by_element(const ReadRow& read) {
  if (product_.empty()) make_product();
  std::vector<double> found(static_cast<std::size_t>(shape_.n));
  Worst worst;
  for (std::int64_t row = 0; row < shape_.m; ++row) {
    read(row, found);
    for (std::int64_t column = 0; column < shape_.n; ++column)
      worst.take(found[column], product_[row * shape_.n + column]);
  }
  return worst.relative();
}

void Oracle::make_vectors() {
  const auto [m, n, k] = shape_;
  std::mt19937 random(20140917);
  x_.resize(static_cast<std::size_t>(n * vectors));
  for (std::int8_t& one : x_) one = random() >> 31 ? 1 : -1;
  std::vector<double> b_x(static_cast<std::size_t>(k * vectors));
  for (std::int64_t row = 0; row < k; ++row) {
    std::array<int, vectors> sums = {};
    for (std::int64_t column = 0; column < n; ++column)
      for (int v = 0; v < vectors; ++v) sums[v] += entries_.at(Matrix::b, row, column) * x_[column * vectors + v];
    std::copy(sums.begin(), sums.end(), b_x.begin() + row * vectors);
  }
  a_b_x_.assign(static_cast<std::size_t>(m * vectors), 0.0);
  for (std::int64_t row = 0; row < m; ++row)
    for (std::int64_t at = 0; at < k; ++at)
      for (int v = 0; v < vectors; ++v)
        a_b_x_[row * vectors + v] += entries_.at(Matrix::a, row, at) * b_x[at * vectors + v];
}

double Oracle::error_by_vectors(const ReadRow& read) {
  if (x_.empty()) make_vectors();
  std::vector<double> found(static_cast<std::size_t>(shape_.n));
  Worst worst;
  for (std::int64_t row = 0; row < shape_.m; ++row) {
    read(row, found);
    std::array<double, vectors> sums = {};
    for (std::int64_t column = 0; column < shape_.n; ++column)
      for (int v = 0; v < vectors; ++v) sums[v] += found[column] * x_[column * vectors + v];
    for (int v = 0; v < vectors; ++v) worst.take(sums[v], a_b_x_[row * vectors + v]);
  }
  return worst.relative();
}

}  // namespace boltzmark::matmul
