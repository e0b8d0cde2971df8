// What the solvers of the CPU models have in common that have a whole grid in this machine's memory.
#pragma once

#include <optional>

#include "common/cpu/range.hpp"
#include "common/lbm/cpu/strip.hpp"
#include "common/lbm/cpu/sweeps.hpp"
#include "common/lbm/solver.hpp"

namespace boltzmark::lbm {

/// A `Host` with two grids, of which a model's run() updates the layers from one to the other. Each worker sets the
/// start state of its own, so that these are in the memory of its NUMA node.
template <class T, class L, class Host>
class StripSolver : public Host {
 public:
  using Host::Host;

  void init(const Problem& problem) override {
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    strip_.emplace(problem, 0, problem.parameters.layers(), false);
    this->on_workers([this](std::int64_t me, std::int64_t workers) {
      const Range mine = part_of(strip_->layers(), me, workers);
      strip_->init_layers(static_cast<int>(mine.begin), static_cast<int>(mine.end));
    });
  }
  void collect(State& state) override { strip_->collect(steps_, fields_of(state)); }

  RunFacts facts() const override { return this->on_machine(cpu_facts<T, L>(2, {{"vvl", Strip<T, L>::lanes}})); }

 protected:
  double fluid_cells_ = 0.0;
  int steps_ = 0;  ///< of the last run
  std::optional<Strip<T, L>> strip_;
};

/// A `Host` with one grid, updated in place, of which a model's run() has every worker do its part of the sweeps. The
/// variant in-place is a depth of one step.
template <class T, class L, class Host>
class SweepsSolver : public Host {
 public:
  template <class... From>
  explicit SweepsSolver(const Options& asked, const From&... from)
      : Host(from...),
        kernels_(row_kernels<T, L>(asked.number("vvl"))),
        time_block_(asked.variant == "in-place" ? 1 : asked.number("time-block")) {}

  void init(const Problem& problem) override {
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    sweeps_.emplace(problem, kernels_, this->workers(), time_block_);
    this->on_workers([this](std::int64_t me, std::int64_t) {
      if (me < sweeps_->workers()) sweeps_->init(static_cast<int>(me));
    });
  }
  void collect(State& state) override { sweeps_->collect(steps_, fields_of(state)); }

  RunFacts facts() const override { return this->on_machine(in_place_facts(kernels_, sweeps_->depth())); }

 protected:
  double fluid_cells_ = 0.0;
  int steps_ = 0;  ///< of the last run
  std::optional<Sweeps<T, L>> sweeps_;

 private:
  const RowKernels<T, L>& kernels_;
  std::optional<int> time_block_;
};

}  // namespace boltzmark::lbm
