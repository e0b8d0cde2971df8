// Vectors: one parallel region for all steps. Each thread has the same rows in every step, by vectors and where they are
// too many past the caches, and waits for the others between two steps.
//
//     for all steps   for my rows, for all vectors   next = 0.2 (...);   changes += |next - centre|
//                     barrier
#include "common/cpu/vector_lengths.hpp"
#include "common/cpu/worker_sums.hpp"
#include "common/heat/cpu/sweep.hpp"
#include "openmp/heat/threaded_solver.hpp"
#include "openmp/heat/variants.hpp"

namespace boltzmark::openmp {
namespace {

template <class T, int lanes>
class Vectors : public ThreadedSolver<T> {
 public:
  using ThreadedSolver<T>::ThreadedSolver;

  void init(const Plate& plate, int steps) override {
    ThreadedSolver<T>::init(plate, steps);
    past_caches_ = is_beyond_caches(plate, sizeof(T));
  }

  void advance(std::span<double> deltas) override {
    const auto steps = static_cast<int>(deltas.size());
    WorkerSums sums(team_.size());
    team_.run([&](int me) {
      const std::int64_t begin = this->first_row(me, team_.size()),
                         end = this->first_row(me + 1, team_.size());
      double* const mine = sums.start(me, steps);
      for (int step = 0; step < steps; ++step) {
        mine[step] = update_rows<T, lanes>(grids_, now_ + step, begin, end, plate_.width, past_caches_);
#pragma omp barrier
      }
    });
    sums.add_up(1.0, deltas);
    now_ = (now_ + steps) % 2;
  }

  RunFacts facts() const override {
    RunFacts facts = this->facts_with(2.0, {{"vector_lanes", lanes}});
    facts.write_allocate = !past_caches_;
    return facts;
  }

 private:
  using HostSolver<T>::grids_;
  using HostSolver<T>::now_;
  using HostSolver<T>::plate_;
  using ThreadedSolver<T>::team_;

  bool past_caches_ = false;
};

}  // namespace

std::unique_ptr<Solver> make_vectors(Precision precision, std::optional<int> threads,
                                     std::optional<int> lanes) {
  return make_of_length<Solver, Vectors>(precision, lanes, threads);
}

}  // namespace boltzmark::openmp
