// A, B and C in this machine's memory, or blocks of them, for the loops of the CPU models.
#pragma once

#include <algorithm>
#include <limits>

#include "common/cpu/aligned.hpp"
#include "common/cpu/range.hpp"
#include "common/matmul/shape.hpp"
#include "common/matmul/traffic.hpp"
#include "common/run/workers.hpp"

namespace boltzmark::matmul {

template <class T>
struct Matrices {
  Shape shape;       ///< of the whole product
  Block block_of_c;  ///< in this process
  AlignedArray<T> a, b, c;

  Matrices() = default;
  /// Fills this process's blocks of A and B and allocates its block of C; each worker sets its share of the rows.
  Matrices(const Shape& of, const Entries& entries, const Block& of_a, const Block& of_b, const Block& of_c,
           const Workers& workers)
      : shape(of),
        block_of_c(of_c),
        a(static_cast<std::size_t>(of_a.size())),
        b(static_cast<std::size_t>(of_b.size())),
        c(static_cast<std::size_t>(of_c.size())) {
    workers.run([&](int me) {
      const auto fill = [&](Matrix matrix, T* to, const Block& block) {
        const Range rows = part_of(block.rows.size(), me, workers.count);
        entries.fill(matrix, to + rows.begin * block.columns.size(), block.columns.size(),
                     block.rows.begin + rows.begin, block.rows.begin + rows.end, block.columns.begin,
                     block.columns.size());
      };
      fill(Matrix::a, a.data(), of_a);
      fill(Matrix::b, b.data(), of_b);
    });
    spoil(workers);
  }

  /// Overwrites C with NaN.
  void spoil(const Workers& workers) {
    const std::int64_t columns = block_of_c.columns.size();
    workers.run([&](int me) {
      const Range rows = part_of(block_of_c.rows.size(), me, workers.count);
      std::fill_n(c.data() + rows.begin * columns, rows.size() * columns, std::numeric_limits<T>::quiet_NaN());
    });
  }

  /// Traffic of each matrix once; a variant adds repeated passes.
  ProductTraffic traffic(const Workers& workers) const { return {shape, sizeof(T), workers.facts.write_allocate}; }

  /// Bytes that move per element of C if a row of C stays in cache and all of B is read for it.
  double bytes_by_rows() const {
    const auto k = static_cast<double>(shape.k), n = static_cast<double>(shape.n);
    return (k + k / n + 1.0) * sizeof(T);
  }
  /// The same if every row of A and column of B is read for it.
  double bytes_without_reuse() const { return (2.0 * static_cast<double>(shape.k) + 1.0) * sizeof(T); }
  /// The same if every matrix moves once.
  double bytes_at_least() const {
    return sizeof(T) * shape.values() / (static_cast<double>(shape.m) * static_cast<double>(shape.n));
  }
};

}  // namespace boltzmark::matmul
