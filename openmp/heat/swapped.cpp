// Swapped: one parallel loop; the work array is the plate of the next step.
//
//     for all cells   next = 0.2 (centre + north + south + west + east);   delta += |next - centre|
//     swap the arrays
#include "common/heat/grid_solver.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
using namespace heat;
namespace {

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

}  // namespace

extern const heat::Variant swapped = {.name = "swapped",
                                      .summary = "one loop over threads, and the two arrays are swapped",
                                      .make = by<Swapped>(start_workers)};

}  // namespace boltzmark::openmp
