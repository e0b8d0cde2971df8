// Steps on a plate in this machine's memory, as a variant of the CPU models.
#pragma once

#include <memory>
#include <utility>

#include "common/heat/cpu/plate_grids.hpp"
#include "common/heat/solver.hpp"
#include "common/run/vector_lengths.hpp"

namespace boltzmark::heat {

/// A Method, which may be constructed from options, has
///
///     advance(PlateGrids& at, std::span<double> deltas, const Workers& workers)     deltas.size() steps
///     RunFacts facts(const PlateGrids& at) const      without the workers'
///
/// and where it needs them
///
///     init(PlateGrids& at, int steps, const Workers& workers)      before runs of this many steps
///     collect(PlateGrids& at)                                      copies the temperatures to `at` after a run
///     int steps_per_look() const
template <class T, class Method>
class GridSolver final : public Solver {
 public:
  GridSolver(Workers workers, const Options& asked) : workers_(std::move(workers)), method_(method_of<Method>(asked)) {}

  std::string shortage(double bytes) override { return workers_.shortage(bytes); }
  void init(const Plate& plate, int steps) override {
    at_ = PlateGrids<T>(plate, {0, plate.height}, workers_);
    if constexpr (requires { method_.init(at_, steps, workers_); }) method_.init(at_, steps, workers_);
  }
  void advance(std::span<double> deltas) override { method_.advance(at_, deltas, workers_); }
  void collect() override {
    if constexpr (requires { method_.collect(at_); }) method_.collect(at_);
  }
  int steps_per_look() const override {
    if constexpr (requires { method_.steps_per_look(); }) return method_.steps_per_look();
    return 1;
  }
  void read(std::int64_t row, std::span<double> values) const override {
    std::copy_n(at_.grids.row(at_.now, row), values.size(), values.begin());
  }
  RunFacts facts() const override { return workers_.with(method_.facts(at_)); }

 private:
  Workers workers_;
  Method method_;
  PlateGrids<T> at_;
};

/// `.make` of a variant: a Method for the precision, and for --vvl if it uses vectors.
template <template <class T> class Method>
auto by(StartWorkers* start_workers) {
  return [start_workers](const Options& asked) {
    const auto made = [&]<class T>(T) -> std::unique_ptr<Solver> {
      return std::make_unique<GridSolver<T, Method<T>>>(start_workers(asked), asked);
    };
    return asked.precision == Precision::f64 ? made(double()) : made(float());
  };
}
template <template <class T, int lanes> class Method>
auto by(StartWorkers* start_workers) {
  return [start_workers](const Options& asked) {
    return of_type_and_vvl(asked, [&]<class T, int lanes>() -> std::unique_ptr<Solver> {
      return std::make_unique<GridSolver<T, Method<T, lanes>>>(start_workers(asked), asked);
    });
  };
}

/// The variant in which models are compared, which uses vectors.
template <template <class T, int lanes> class Method>
Variant vectors_of(const char* name, const char* summary, StartWorkers* start_workers) {
  return {.name = name,
          .summary = summary,
          .role = Role::like_for_like,
          .options = {vector_length_option()},
          .make = by<Method>(start_workers)};
}

}  // namespace boltzmark::heat
