// A product of matrices in this machine's memory, as a variant of the CPU models.
#pragma once

#include <memory>
#include <utility>

#include "common/matmul/cpu/matrices.hpp"
#include "common/matmul/multiplier.hpp"
#include "common/run/vector_lengths.hpp"

namespace boltzmark::matmul {

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
