// Textbook: the published form for processors, two parallel loops, the second with a reduction.
//
//     for all cells   work = 0.2 (centre + north + south + west + east)
//     for all cells   delta += |work - centre|;   centre = work
#include "common/heat/grid_solver.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
using namespace heat;
namespace {

template <class T>
struct Textbook {
  static void advance(PlateGrids<T>& at, std::span<double> deltas, const Workers& workers) {
    const std::int64_t height = at.plate.height;
    const int threads = workers.count;
    for (double& delta_of_step : deltas) {
#pragma omp parallel for num_threads(threads)
      for (std::int64_t y = 0; y < height; ++y) at.row_to_work(y);
      double delta = 0.0;
#pragma omp parallel for num_threads(threads) reduction(+ : delta)
      for (std::int64_t y = 0; y < height; ++y) at.row_to_plate(y, delta);
      delta_of_step = delta;
    }
  }
  static RunFacts facts(const PlateGrids<T>&) { return facts_of_textbook<T>(); }
};

}  // namespace

extern const heat::Variant textbook =
    textbook_of("published form: two loops over threads, to a work array and back", by<Textbook>(start_workers));

}  // namespace boltzmark::openmp
