// A, B and C in this machine's memory: what the CPU models' variants have in common.
#pragma once

#include <algorithm>
#include <limits>

#include "common/cpu/aligned.hpp"
#include "common/matmul/multiplier.hpp"
#include "common/run/on_host.hpp"

namespace boltzmark::matmul {

template <class T>
class HostMultiplier : public OnHost<Multiplier> {
 public:
  void init(const Shape& shape, const Entries& entries) override {
    shape_ = shape;
    a_ = AlignedArray<T>(static_cast<std::size_t>(shape.m * shape.k));
    b_ = AlignedArray<T>(static_cast<std::size_t>(shape.k * shape.n));
    c_ = AlignedArray<T>(static_cast<std::size_t>(shape.m * shape.n));
    this->on_workers([&, m = shape.m, n = shape.n, k = shape.k](std::int64_t me, std::int64_t workers) {
      const auto first = [&](std::int64_t rows) { return rows * me / workers; };
      const auto end = [&](std::int64_t rows) { return rows * (me + 1) / workers; };
      entries.fill(Matrix::a, a_.data() + first(m) * k, k, first(m), end(m), 0, k);
      entries.fill(Matrix::b, b_.data() + first(k) * n, n, first(k), end(k), 0, n);
    });
    spoil();
  }
  void spoil() override {
    this->on_workers([this](std::int64_t me, std::int64_t workers) {
      std::fill(c_.data() + shape_.m * me / workers * shape_.n, c_.data() + shape_.m * (me + 1) / workers * shape_.n,
                std::numeric_limits<T>::quiet_NaN());
    });
  }

  void read(std::int64_t row, std::span<double> values) const override {
    const T* const from = c_.data() + row * shape_.n;
    std::copy(from, from + values.size(), values.begin());
  }

 protected:
  /// Bytes that move per element of C when a row of it stays in cache and all of B is read for it.
  double bytes_by_rows() const {
    const auto k = static_cast<double>(shape_.k), n = static_cast<double>(shape_.n);
    return (k + k / n + 1.0) * sizeof(T);
  }

  /// The same when every row of A and column of B is read for it.
  double bytes_without_reuse() const { return (2.0 * static_cast<double>(shape_.k) + 1.0) * sizeof(T); }

  /// The same when every matrix moves once.
  double bytes_at_least() const {
    return sizeof(T) * shape_.values() / (static_cast<double>(shape_.m) * static_cast<double>(shape_.n));
  }

  Shape shape_;
  AlignedArray<T> a_, b_, c_;
};

}  // namespace boltzmark::matmul
