// Wavefront: several steps in one sweep, each a row behind the one before it, while the rows are in cache. Each thread
// has a block of rows and waits only for its neighbours' rows; common/heat/cpu/wavefront.hpp draws it.
//
//     for all waves   for all steps s of a sweep   my rows wave - s:   next = 0.2 (...);   delta[s] += |next - centre|
#include "common/heat/cpu/wavefront.hpp"
#include "common/cpu/worker_sums.hpp"
#include "common/heat/host_solver.hpp"
#include "common/run/vector_lengths.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
using namespace heat;
namespace {

template <class T, int lanes>
class TimeSkewed : public OnThreads<HostSolver<T>> {
 public:
  explicit TimeSkewed(const Options& asked)
      : OnThreads<HostSolver<T>>(asked), asked_depth_(asked.number("time-block")) {}

  void init(const Plate& plate, int steps) override {
    HostSolver<T>::init(plate, steps);
    sweep_.emplace(plate, threads_, asked_depth_);
  }

  void advance(std::span<double> deltas) override {
    const auto steps = static_cast<int>(deltas.size());
    WorkerSums sums(sweep_->workers());
    RowClock clock = sweep_->make_clock();
#pragma omp parallel num_threads(threads_)
    if (const int me = omp_get_thread_num(); me < sweep_->workers())
      sweep_->run(grids_, me, now_, steps, clock, sums.start(me, steps));
    sums.add_up(1.0, deltas);
    now_ = (now_ + steps) % 2;
  }
  int steps_per_look() const override { return sweep_->depth(); }

  /// As if every step were a sweep of its own.
  RunFacts facts() const override {
    return this->on_machine({.bytes_per_update = 2.0 * sizeof(T),
                             .steps_per_launch = sweep_->depth(),
                             .settings = {{"vvl", lanes}, {"strip", sweep_->strip()}}});
  }

 private:
  using HostSolver<T>::grids_, HostSolver<T>::now_, OnThreads<HostSolver<T>>::threads_;

  std::optional<int> asked_depth_;
  std::optional<Wavefront<T, lanes>> sweep_;
};

}  // namespace

extern const heat::Variant wavefront = {
    .name = "wavefront",
    .summary = "several steps in one sweep over the rows",
    .options = {vector_length_option(), time_block_option({"4", "8", "12", "16", "24", "32"})},
    .make = made_of_vvl<Solver, TimeSkewed>};

}  // namespace boltzmark::openmp
