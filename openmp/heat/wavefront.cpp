// Wavefront: several steps in one sweep, each a row behind the one before it, while the rows are in cache. Each thread has a
// block of rows and waits only for the rows beside its own; common/heat/cpu/wavefront.hpp draws it.
//
//     for all waves   for all steps s of the sweep   my rows wave - s:   next = 0.2 (...);   delta[s] += |next - centre|
#include "common/heat/cpu/wavefront.hpp"
#include "common/cpu/vector_lengths.hpp"
#include "common/cpu/worker_sums.hpp"
#include "openmp/heat/threaded_solver.hpp"
#include "openmp/heat/variants.hpp"

namespace boltzmark::openmp {
namespace {

template <class T, int lanes>
class TimeSkewed : public ThreadedSolver<T> {
 public:
  TimeSkewed(std::optional<int> threads, std::optional<int> depth)
      : ThreadedSolver<T>(threads), asked_depth_(depth) {}

  void init(const Plate& plate, int steps) override {
    ThreadedSolver<T>::init(plate, steps);
    sweep_.emplace(plate, team_.size(), asked_depth_);
  }

  void advance(std::span<double> deltas) override {
    const auto steps = static_cast<int>(deltas.size());
    WorkerSums sums(sweep_->workers());
    RowClock clock = sweep_->make_clock();
    team_.run([&](int me) {
      if (me < sweep_->workers()) sweep_->run(grids_, me, now_, steps, clock, sums.start(me, steps));
    });
    sums.add_up(1.0, deltas);
    now_ = (now_ + steps) % 2;
  }
  int steps_per_look() const override { return sweep_->depth(); }

  /// As if every step were a sweep of its own.
  RunFacts facts() const override {
    RunFacts facts = this->facts_with(2.0, {{"vector_lanes", lanes}, {"strip", sweep_->strip()}});
    facts.steps_per_launch = sweep_->depth();
    return facts;
  }

 private:
  using HostSolver<T>::grids_;
  using HostSolver<T>::now_;
  using ThreadedSolver<T>::team_;

  std::optional<int> asked_depth_;
  std::optional<Wavefront<T, lanes>> sweep_;
};

}  // namespace

std::unique_ptr<Solver> make_wavefront(Precision precision, std::optional<int> threads,
                                       std::optional<int> lanes, std::optional<int> depth) {
  return make_of_length<Solver, TimeSkewed>(precision, lanes, threads, depth);
}

}  // namespace boltzmark::openmp
