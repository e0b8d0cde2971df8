// heat-openmp: the heat equation on the threads of one machine.
#include "common/cpu/worker_sums.hpp"
#include "common/heat/cpu/wavefront.hpp"
#include "common/heat/grid_solver.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
extern const heat::Variant textbook;
namespace {
using namespace heat;

// Swapped: one parallel loop; the work array is the plate of the next step.
//
//     for all cells   next = 0.2 (centre + north + south + west + east);   delta += |next - centre|
//     swap the arrays
template <class T>
struct Swapped {
  static void advance(PlateGrids<T>& at, std::span<double> deltas, const Workers& workers) {
    const std::int64_t height = at.plate.height;
    const int threads = workers.count;
    for (double& delta_of_step : deltas) {
      double delta = 0.0;
#pragma omp parallel for num_threads(threads) reduction(+ : delta)
      for (std::int64_t y = 0; y < height; ++y) at.row_to_other(y, delta);
      delta_of_step = delta;
      at.now = 1 - at.now;
    }
  }
  static RunFacts facts(const PlateGrids<T>&) { return facts_of_step<T>(); }
};

// Vectors: one parallel region for all steps. Each thread updates the same rows in every step, in vectors, with stores
// past the caches if there are too many rows, and waits for the others between steps.
//
//     for all steps   for my rows, for all vectors   next = 0.2 (...);   changes += |next - centre|
//                     barrier
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

const heat::Variant swapped = {.name = "swapped",
                               .summary = "one loop over threads, and the two arrays are swapped",
                               .make = by<Swapped>(start_workers)};
const heat::Variant vectors =
    vectors_of<Vectors>("vectors", "the same in vectors, all steps in one region", start_workers);
const heat::Variant wavefront = heat::wavefront_of(start_workers);

}  // namespace
}  // namespace boltzmark::openmp

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp;
  return run_on_threads(argc, argv, heat::workload, {&textbook, &swapped, &vectors, &wavefront}, "wavefront");
}
