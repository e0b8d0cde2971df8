// The time steps of a grid that is updated in place, several in one sweep over its rows, in three dimensions over its
// planes: the grid, the plan of the sweeps, and the progress of each worker. A worker is a thread, or a thread of one
// of several processes that share the grid's memory. wavefront.hpp and plane_wavefront.hpp draw the order.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "common/cpu/wavefront.hpp"
#include "common/cpu/worker_sums.hpp"
#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/cpu/in_place_grid.hpp"
#include "common/lbm/cpu/plane_wavefront.hpp"

namespace boltzmark::lbm {

/// Facts of a run of the in-place and wavefront variants with `time_block` steps in one sweep over the rows.
template <class T, class L>
RunFacts in_place_facts(const RowKernels<T, L>& kernels, int time_block) {
  RunFacts facts = cpu_facts<T, L>(
      1, {{"vvl", kernels.lanes}, {"vectors", kernels.name}, {"time_block", time_block}, {"storage", storage_name<T>}});
  facts.steps_per_launch = time_block;
  return facts;
}

/// Provided by processes that share a grid; empty if all workers are threads of one process.
template <class T>
struct SharedByProcesses {
  GridMemory<T> grid = {};                             ///< memory for the grid
  std::function<Progress*(std::size_t)> counts = {};   ///< memory for this many counts, initially zero
  std::function<int(int)> agreed = {};                 ///< one number for all processes, from each one's number
  std::function<std::size_t()> last_level_cache = {};  ///< bytes, of all their processors
};

/// A worker's time steps by rows; PlaneRun does the same by planes.
class RowRun {
 public:
  explicit RowRun(const WavefrontPlan& plan, Progress* shared = nullptr) : plan_(plan), done_(counts(plan), shared) {}
  static std::size_t counts(const WavefrontPlan& plan) { return static_cast<std::size_t>(plan.workers()); }
  template <class Grid, class Sums>
  void operator()(int me, int steps, Grid& grid, const Sums& sums) {
    run_wavefront(plan_, me, steps, &done_[0],
                  [&](int y, int step) { sums[step] += grid.update_layer(y, step, step == steps - 1); });
  }

 private:
  const WavefrontPlan plan_;
  ProgressArray done_;
};

template <class T, class L>
class Sweeps {
  static constexpr bool by_planes = L::dimension == 3;

 public:
  using Order = std::conditional_t<by_planes, PlaneWavefront, WavefrontPlan>;

  /// depth: steps in a sweep; default: the best for the caches.
  Sweeps(const Problem& problem, const RowKernels<T, L>& kernels, int workers, std::optional<int> depth,
         const SharedByProcesses<T>& shared = {})
      : grid_(problem, 0, problem.parameters.layers(), 0, kernels, shared.grid),
        plan_(make_plan(workers, depth, shared)),
        run_(plan_, shared.counts ? shared.counts(Run::counts(plan_)) : nullptr) {}

  /// Workers that have rows: 0 .. workers() - 1.
  int workers() const { return plan_.workers(); }
  /// Steps in a sweep.
  int depth() const { return plan_.depth(); }
  /// Unit of the sums of run().
  double speed_unit() const { return grid_.speed_unit(); }

  /// Sets worker `me`'s rows to the start state. To be called by the thread that will update them, because memory is
  /// near the thread that touches it first.
  void init(int me) {
    const int begin = plan_.begin(me), end = plan_.begin(me + 1);
    by_planes ? grid_.init_rows(begin, end) : grid_.init_layers(begin, end);
  }
  /// Worker `me`'s part of `steps` time steps: sums[step] += the speeds of its cells. To be called once, by all workers
  /// concurrently.
  void run(int me, int steps, std::span<double> sums) { run_(me, steps, grid_, sums); }
  void collect(int steps, Fields fields) { grid_.collect(steps, fields); }
  Traffic traffic(const Problem& problem, int steps) const {
    return sweep_traffic({problem, L::directions * sizeof(T)}, steps, plan_, static_cast<double>(grid_.row_bytes()));
  }

 private:
  using Run = std::conditional_t<by_planes, PlaneRun, RowRun>;

  Order make_plan(int workers, std::optional<int> depth, const SharedByProcesses<T>& shared) const {
    const auto agreed = [&](int mine) { return shared.agreed ? shared.agreed(mine) : mine; };
    if constexpr (by_planes) {
      const std::size_t cache = shared.last_level_cache ? shared.last_level_cache() : shared_cache();
      const Order mine = plan_plane_wavefront(grid_.rows(), grid_.layers(), grid_.row_bytes(), grid_.layer_bytes(),
                                              workers, depth, cache);
      return {grid_.rows(), grid_.layers(), workers, agreed(mine.depth()), agreed(mine.tile())};
    } else {
      return {grid_.layers(), workers, agreed(depth.value_or(default_time_block(grid_.row_bytes())))};
    }
  }

  InPlaceGrid<T, L> grid_;
  Order plan_;
  Run run_;
};

/// One grid, updated in place by workers that all run at the same time. Each sets the start state of its own rows, so
/// that these are in the memory of its NUMA node. The variant in-place is a depth of one step.
template <class T, class L>
class SweepsSolver final : public Solver {
 public:
  SweepsSolver(Workers workers, const Options& asked)
      : workers_(std::move(workers)),
        kernels_(row_kernels<T, L>(asked.number("vvl"))),
        time_block_(asked.variant == "in-place" ? 1 : asked.number("time-block")) {}

  void init(const Problem& problem) override {
    problem_ = &problem;
    sweeps_.emplace(problem, kernels_, workers_.count, time_block_);
    workers_.run([this](int me) {
      if (me < sweeps_->workers()) sweeps_->init(me);
    });
  }
  void run(int steps, std::span<double> av_vels) override {
    WorkerSums sums(sweeps_->workers());
    workers_.run([&](int me) {
      if (me < sweeps_->workers()) sweeps_->run(me, steps, {sums.start(me, steps), static_cast<std::size_t>(steps)});
    });
    sums.add_up(sweeps_->speed_unit() / static_cast<double>(problem_->fluid_cells()), av_vels);
    steps_ = steps;
  }
  void collect(State& state) override { sweeps_->collect(steps_, fields_of(state)); }
  RunFacts facts() const override {
    RunFacts facts = workers_.with(in_place_facts(kernels_, sweeps_->depth()));
    facts.traffic = sweeps_->traffic(*problem_, steps_);
    return facts;
  }

 private:
  Workers workers_;
  const RowKernels<T, L>& kernels_;
  std::optional<int> time_block_;
  const Problem* problem_ = nullptr;
  int steps_ = 0;  ///< of the last run
  std::optional<Sweeps<T, L>> sweeps_;
};

inline Variant in_place_of(const char* summary, OfCase<std::unique_ptr<Runnable>> make) {
  return {.name = "in-place",
          .summary = summary,
          .kinds = {D3Q19::name},
          .options = {vector_length_option(), storage_option()},
          .make = std::move(make)};
}
inline Variant in_place_of(const char* summary, StartWorkers* start_workers) {
  return in_place_of(summary, stored_by<SweepsSolver>(start_workers));
}
inline Variant wavefront_of(const char* summary, StartWorkers* start_workers) {
  return {
      .name = "wavefront",
      .summary = summary,
      .kinds = {D3Q19::name},
      .options = {vector_length_option(), storage_option(), time_block_option({"1", "2", "4", "8", "16", "32", "64"})},
      .make = stored_by<SweepsSolver>(start_workers)};
}

}  // namespace boltzmark::lbm
