// A, B and C in this machine's memory: what the CPU models' variants have in common.
#pragma once

#include <algorithm>
#include <limits>

#include "common/cpu/aligned.hpp"
#include "common/cpu/range.hpp"
#include "common/matmul/multiplier.hpp"
#include "common/matmul/traffic.hpp"
#include "common/run/on_host.hpp"

namespace boltzmark::matmul {

template <class T>
class HostMultiplier : public OnHost<Multiplier> {
 public:
  void init(const Shape& shape, const Entries& entries) override {
    const Range m = {0, shape.m}, n = {0, shape.n}, k = {0, shape.k};
    make_blocks(shape, entries, {m, k}, {k, n}, {m, n});
  }
  void spoil() override {
    on_workers([this](std::int64_t me, std::int64_t workers) {
      const Range rows = part_of(block_of_c_.rows.size(), me, workers);
      std::fill_n(c_.data() + rows.begin * block_of_c_.columns.size(), rows.size() * block_of_c_.columns.size(),
                  std::numeric_limits<T>::quiet_NaN());
    });
  }

  void read(std::int64_t row, std::span<double> values) const override {
    const T* const from = c_.data() + row * shape_.n;
    std::copy(from, from + values.size(), values.begin());
  }

 protected:
  /// Fills this process's blocks of A and B and makes room for its block of C, each worker its share of the rows.
  void make_blocks(const Shape& shape, const Entries& entries, const Block& a, const Block& b, const Block& c) {
    shape_ = shape;
    block_of_c_ = c;
    a_ = AlignedArray<T>(static_cast<std::size_t>(a.size()));
    b_ = AlignedArray<T>(static_cast<std::size_t>(b.size()));
    c_ = AlignedArray<T>(static_cast<std::size_t>(c.size()));
    on_workers([&](std::int64_t me, std::int64_t workers) {
      const auto fill = [&](Matrix matrix, T* to, const Block& block) {
        const Range rows = part_of(block.rows.size(), me, workers);
        entries.fill(matrix, to + rows.begin * block.columns.size(), block.columns.size(),
                     block.rows.begin + rows.begin, block.rows.begin + rows.end, block.columns.begin,
                     block.columns.size());
      };
      fill(Matrix::a, a_.data(), a);
      fill(Matrix::b, b_.data(), b);
    });
    spoil();
  }

  /// Each matrix once; a variant adds what it goes through again.
  ProductTraffic traffic() const { return {shape_, sizeof(T), this->on_machine({}).write_allocate}; }

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
  Block block_of_c_;
  AlignedArray<T> a_, b_, c_;
};

}  // namespace boltzmark::matmul
