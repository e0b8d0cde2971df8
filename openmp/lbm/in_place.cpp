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
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
using namespace lbm;
namespace {

template <class T, class L>
class InPlace : public SweepsSolver<T, L, OnThreads<OnHost<Solver>>> {
 public:
  explicit InPlace(const Options& asked) : InPlace::SweepsSolver(asked, asked) {}

  void run(int steps, std::span<double> av_vels) override {
    WorkerSums sums(sweeps_->workers());
#pragma omp parallel num_threads(this->threads_)
    if (const int me = number_in_team_of(this->threads_); me < sweeps_->workers())
      sweeps_->run(me, steps, {sums.start(me, steps), static_cast<std::size_t>(steps)});
    sums.add_up(sweeps_->speed_unit() / this->fluid_cells_, av_vels);
    this->steps_ = steps;
  }

 private:
  using InPlace::SweepsSolver::sweeps_;
};

}  // namespace

extern const lbm::Variant in_place = {
    .name = "in-place",
    .summary = "one grid, updated in place, one pass per step, rows divided over threads",
    .kinds = {D3Q19::name},
    .options = {vector_length_option(), storage_option()},
    .make = stored_of<InPlace>};

extern const lbm::Variant wavefront = {
    .name = "wavefront",
    .summary = "in place, several steps in one sweep over a thread's rows",
    .kinds = {D3Q19::name},
    .options = {vector_length_option(), storage_option(), time_block_option({"1", "2", "4", "8", "16", "32", "64"})},
    .make = stored_of<InPlace>};

}  // namespace boltzmark::openmp
