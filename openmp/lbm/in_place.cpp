// In place and wavefront over threads: one grid, updated where it is (common/lbm/cpu/in_place_grid.hpp), whose rows are
// divided over the threads.
//
//   thread 1   rows b .. c-1    step 0 of row b, b+1, ...; step 1 one row behind, step 2 two rows behind, ...
//   thread 0   rows a .. b-1    the same
//
// The last rows of a thread's later steps border on rows that the next thread did first, so it never waits for long
// (common/cpu/wavefront.hpp). In three dimensions each thread has its rows y of every plane, and all of them go through
// the planes together (common/lbm/cpu/plane_wavefront.hpp). No barrier: a row waits for its neighbours only. Each
// thread sets the start state of its own rows, so that these are in the memory of its NUMA node. In-place is a depth of
// one step.
#include "common/cpu/worker_sums.hpp"
#include "common/lbm/cpu/sweeps.hpp"
#include "common/lbm/solver.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
using namespace lbm;
namespace {

template <class T, class L>
class InPlace : public OnThreads<OnHost<Solver>> {
 public:
  explicit InPlace(const Options& asked)
      : OnThreads<OnHost<Solver>>(asked),
        kernels_(row_kernels<T, L>(asked.number("vvl"))),
        time_block_(asked.variant == "in-place" ? 1 : asked.number("time-block")) {}

  void init(const Problem& problem) override {
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    sweeps_.emplace(problem, kernels_, threads_, time_block_);
#pragma omp parallel num_threads(threads_)
    if (const int me = omp_get_thread_num(); me < sweeps_->workers()) sweeps_->init(me);
  }

  void run(int steps, std::span<double> av_vels) override {
    WorkerSums sums(sweeps_->workers());
#pragma omp parallel num_threads(threads_)
    if (const int me = omp_get_thread_num(); me < sweeps_->workers())
      sweeps_->run(me, steps, {sums.start(me, steps), static_cast<std::size_t>(steps)});
    sums.add_up(sweeps_->speed_unit() / fluid_cells_, av_vels);
    steps_ = steps;
  }

  void collect(State& state) override { sweeps_->collect(steps_, fields_of(state)); }

  RunFacts facts() const override { return on_machine(in_place_facts(kernels_, sweeps_->depth())); }

 private:
  const RowKernels<T, L>& kernels_;
  std::optional<int> time_block_;
  int steps_ = 0;
  double fluid_cells_ = 0.0;
  std::optional<Sweeps<T, L>> sweeps_;
};

}  // namespace

extern const lbm::Variant in_place = {
    .name = "in-place",
    .summary = "one grid, updated in place, one pass per step, rows divided over threads",
    .kinds = {D3Q19::name},
    .options = {vector_length_option()},
    .make = made_of<InPlace>};

extern const lbm::Variant wavefront = {
    .name = "wavefront",
    .summary = "in place, several steps in one sweep over a thread's rows",
    .kinds = {D3Q19::name},
    .options = {vector_length_option(), time_block_option({"1", "2", "4", "8", "16", "32", "64"})},
    .make = made_of<InPlace>};

}  // namespace boltzmark::openmp
