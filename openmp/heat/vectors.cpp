// Vectors: one parallel region for all steps. Each thread updates the same rows in every step, in vectors, with stores
// past the caches if there are too many rows, and waits for the others between steps.
//
//     for all steps   for my rows, for all vectors   next = 0.2 (...);   changes += |next - centre|
//                     barrier
#include "common/cpu/worker_sums.hpp"
#include "common/heat/grid_solver.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
using namespace heat;
namespace {

template <class T, int lanes>
struct Vectors {
  static void advance(PlateGrids<T>& at, std::span<double> deltas, const Workers& workers) {
    const int steps = static_cast<int>(deltas.size()), threads = workers.count;
    WorkerSums sums(threads);
#pragma omp parallel num_threads(threads)
    {
      const int me = number_in_team_of(threads);
      const Range rows = part_of(at.plate.height, me, threads);
      double* const mine = sums.start(me, steps);
      for (int step = 0; step < steps; ++step) {
        mine[step] =
            update_rows<T, lanes>(at.grids, at.now + step, rows.begin, rows.end, at.plate.width, at.past_caches);
#pragma omp barrier
      }
    }
    sums.add_up(1.0, deltas);
    at.now = (at.now + steps) % 2;
  }
  static RunFacts facts(const PlateGrids<T>& at) { return facts_of_vectors(at, lanes); }
};

}  // namespace

extern const heat::Variant vectors =
    vectors_of<Vectors>("vectors", "the same in vectors, all steps in one region", start_workers);

}  // namespace boltzmark::openmp
