// Wavefront: several steps in one sweep, each a row behind the one before it, while the rows are in cache. Each thread
// has a block of rows and waits only for its neighbours' rows; common/heat/cpu/wavefront.hpp draws it.
//
//     for all waves   for all steps s of a sweep   my rows wave - s:   next = 0.2 (...);   delta[s] += |next - centre|
#include "common/heat/cpu/wavefront.hpp"
#include "common/cpu/worker_sums.hpp"
#include "common/run/vector_lengths.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
using namespace heat;
namespace {

template <class T, int lanes>
class TimeSkewed : public WavefrontSolver<T, lanes, OnThreads<HostSolver<T>>> {
 public:
  explicit TimeSkewed(const Options& asked) : TimeSkewed::WavefrontSolver(asked.number("time-block"), asked) {}

  void advance(std::span<double> deltas) override {
    const auto steps = static_cast<int>(deltas.size());
    WorkerSums sums(this->sweep_->workers());
    RowClock clock = this->sweep_->make_clock();
#pragma omp parallel num_threads(this->threads_)
    if (const int me = number_in_team_of(this->threads_); me < this->sweep_->workers())
      this->sweep_->run(this->grids_, me, this->now_, steps, clock, sums.start(me, steps));
    sums.add_up(1.0, deltas);
    this->now_ = (this->now_ + steps) % 2;
  }
};

}  // namespace

extern const heat::Variant wavefront = {
    .name = "wavefront",
    .summary = "several steps in one sweep over the rows",
    .options = {vector_length_option(), time_block_option({"4", "8", "12", "16", "24", "32"})},
    .make = made_of_vvl<Solver, TimeSkewed>};

}  // namespace boltzmark::openmp
