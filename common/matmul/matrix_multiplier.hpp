// A product of matrices in this machine's memory, as a variant of the CPU models.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "common/cpu/aligned.hpp"
#include "common/cpu/range.hpp"
#include "common/matmul/multiplier.hpp"
#include "common/matmul/shape.hpp"
#include "common/matmul/traffic.hpp"
#include "common/run/vector_lengths.hpp"
#include "common/run/workers.hpp"

namespace boltzmark::matmul {

// A, B and C in this machine's memory, or blocks of them, for the loops of the CPU models.

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

/// A Method, which may be constructed from workers, has
///
///     multiply(Matrices& of, const Workers& workers)
///     RunFacts facts(const Matrices& of, const Workers& workers) const      without the workers' own
///
/// and where it needs them
///
///     init(Matrices& of, const Workers& workers)
///     upload(), download()      C, to where the product is made, before a run, and back after it
template <class T, class Method>
class MatrixMultiplier final : public Multiplier {
 public:
  explicit MatrixMultiplier(Workers workers) : workers_(std::move(workers)), method_(method_on<Method>(workers_)) {}

  std::string shortage(double bytes) override { return workers_.shortage(bytes); }
  void init(const Shape& shape, const Entries& entries) override {
    const Range m = {0, shape.m}, n = {0, shape.n}, k = {0, shape.k};
    of_ = Matrices<T>(shape, entries, {m, k}, {k, n}, {m, n}, workers_);
    if constexpr (requires { method_.init(of_, workers_); }) method_.init(of_, workers_);
  }
  void spoil() override {
    of_.spoil(workers_);
    if constexpr (requires { method_.upload(); }) method_.upload();
  }
  void multiply() override { method_.multiply(of_, workers_); }
  void collect() override {
    if constexpr (requires { method_.download(); }) method_.download();
  }
  void read(std::int64_t row, std::span<double> values) const override {
    std::copy_n(of_.c.data() + row * of_.shape.n, values.size(), values.begin());
  }
  RunFacts facts() const override { return workers_.with(method_.facts(of_, workers_)); }

 private:
  Workers workers_;
  Method method_;
  Matrices<T> of_;
};

/// `.make` of a variant: a Method for the precision, and for --vvl if it uses vectors.
template <template <class T> class Method>
auto by(StartWorkers* start_workers) {
  return [start_workers](const Options& asked) {
    const auto made = [&]<class T>(T) -> std::unique_ptr<Multiplier> {
      return std::make_unique<MatrixMultiplier<T, Method<T>>>(start_workers(asked));
    };
    return asked.precision == Precision::f64 ? made(double()) : made(float());
  };
}
template <template <class T, int lanes> class Method>
auto by(StartWorkers* start_workers) {
  return [start_workers](const Options& asked) {
    return of_type_and_vvl(asked, [&]<class T, int lanes>() -> std::unique_ptr<Multiplier> {
      return std::make_unique<MatrixMultiplier<T, Method<T, lanes>>>(start_workers(asked));
    });
  };
}

}  // namespace boltzmark::matmul
