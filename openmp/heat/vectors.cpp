// Vectors: one parallel region for all steps. Each thread has the same rows in every step, by vectors and where they
// are too many past the caches, and waits for the others between two steps.
//
//     for all steps   for my rows, for all vectors   next = 0.2 (...);   changes += |next - centre|
//                     barrier
#include "common/cpu/worker_sums.hpp"
#include "common/heat/host_solver.hpp"
#include "common/run/vector_lengths.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
using namespace heat;
namespace {

template <class T, int lanes>
class Vectors : public OnThreads<HostSolver<T>> {
 public:
  using OnThreads<HostSolver<T>>::OnThreads;

  void advance(std::span<double> deltas) override {
    const auto steps = static_cast<int>(deltas.size());
    WorkerSums sums(threads_);
#pragma omp parallel num_threads(threads_)
    {
      const int me = number_in_team_of(threads_);
      const Range rows = part_of(plate_.height, me, threads_);
      double* const mine = sums.start(me, steps);
      for (int step = 0; step < steps; ++step) {
        mine[step] = update_rows<T, lanes>(grids_, now_ + step, rows.begin, rows.end, plate_.width, past_caches_);
#pragma omp barrier
      }
    }
    sums.add_up(1.0, deltas);
    now_ = (now_ + steps) % 2;
  }

  RunFacts facts() const override { return this->facts_of_vectors(lanes); }

 private:
  using HostSolver<T>::grids_, HostSolver<T>::now_, HostSolver<T>::past_caches_, HostSolver<T>::plate_,
      OnThreads<HostSolver<T>>::threads_;
};

}  // namespace

extern const heat::Variant vectors =
    like_for_like_of<Solver, Vectors>("vectors", "the same in vectors, all steps in one region");

}  // namespace boltzmark::openmp
