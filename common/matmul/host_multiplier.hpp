// A, B and C in this machine's memory: what the CPU models' variants have in common.
#pragma once

#include <algorithm>
#include <limits>

#include "common/cpu/aligned.hpp"
#include "common/cpu/range.hpp"
#include "common/matmul/multiplier.hpp"

namespace boltzmark::matmul {

template <class T>
class HostMultiplier : public OnHost<Multiplier> {
 public:
  void init(const Shape& shape, const Entries& entries) override {
    shape_ = shape;
    const auto [m, n, k] = shape;
    a_ = AlignedArray<T>(static_cast<std::size_t>(m * k));
    b_ = AlignedArray<T>(static_cast<std::size_t>(k * n));
    c_ = AlignedArray<T>(static_cast<std::size_t>(m * n));
    this->on_workers([this, &entries](int me, int workers) {
      const Range of_a = rows_of(shape_.m, me, workers), of_b = rows_of(shape_.k, me, workers);
      entries.fill(Matrix::a, a_.data() + of_a.begin * shape_.k, shape_.k, of_a.begin, of_a.end, 0, shape_.k);
      entries.fill(Matrix::b, b_.data() + of_b.begin * shape_.n, shape_.n, of_b.begin, of_b.end, 0, shape_.n);
    });
    spoil();
  }
  void spoil() override {
    this->on_workers([this](int me, int workers) {
      const Range rows = rows_of(shape_.m, me, workers);
      std::fill(c_.data() + rows.begin * shape_.n, c_.data() + rows.end * shape_.n,
                std::numeric_limits<T>::quiet_NaN());
    });
  }

  void read(std::int64_t row, std::span<double> values) const override {
    const T* const from = c_.data() + row * shape_.n;
    std::copy(from, from + values.size(), values.begin());
  }

 protected:
  static Range rows_of(std::int64_t rows, int me, int workers) {
    return {rows * me / workers, rows * (me + 1) / workers};
  }

  /// Bytes that move per element of C when every row of A and column of B is read for it.
  double bytes_without_reuse() const { return (2.0 * static_cast<double>(shape_.k) + 1.0) * sizeof(T); }

  /// The same when every matrix moves once.
  double bytes_at_least() const {
    return sizeof(T) * shape_.values() / (static_cast<double>(shape_.m) * static_cast<double>(shape_.n));
  }

  Shape shape_;
  AlignedArray<T> a_, b_, c_;
};

}  // namespace boltzmark::matmul
