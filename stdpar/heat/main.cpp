// heat-stdpar: the heat equation in the parallel algorithms of standard C++.
#include <algorithm>
#include <execution>
#include <functional>
#include <numeric>

#include "common/heat/cpu/split_tiles.hpp"
#include "common/heat/grid_solver.hpp"
#include "common/heat/solver.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {
extern const heat::Variant textbook;
namespace {
using namespace heat;

// Vectors: one reduction over parts of the rows, each updated in vectors; the two grids are exchanged.
//
//     transform_reduce  rows   next = 0.2 (...);   sum of |next - centre|
template <class T, int lanes>
struct Vectors {
  /// par, not par_unseq, because iterations with vector instructions must not be interleaved.
  static void advance(PlateGrids<T>& at, std::span<double> deltas, const Workers& workers) {
    const std::int64_t parts = std::min<std::int64_t>(at.plate.height, workers.count);
    for (double& delta : deltas) {
      delta = std::transform_reduce(
          std::execution::par, counting(0), counting(parts), 0.0, std::plus<>(), [&at, parts](std::int64_t number) {
            const Range rows = part_of(at.plate.height, number, parts);
            return update_rows<T, lanes>(at.grids, at.now, rows.begin, rows.end, at.plate.width, at.past_caches);
          });
      at.now = 1 - at.now;
    }
  }
  static RunFacts facts(const PlateGrids<T>& at) { return facts_of_vectors(at, lanes); }
};

const heat::Variant vectors =
    vectors_of<Vectors>("vectors", "one reduction over parts of the rows, updated in vectors", start_workers);
// Split tiling: several steps in one sweep over tiles of rows. All sweeps are one for_each over as many parts as cores
// (common/cpu/split_tiling.hpp), of which none waits for another.
//
//     for_each  part   its tiles' steps, of each step a row less at either end, and the rows that are left between two
//                      tiles; each as soon as the neighbours' rows are there
const heat::Variant split_tiling =
    heat::split_tiling_of("several steps in one sweep over tiles of rows, all sweeps in one algorithm", start_team);

}  // namespace
}  // namespace boltzmark::stdpar

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace stdpar;
  return run_on_cores(argc, argv, heat::workload, {&textbook, &vectors, &split_tiling}, "split-tiling");
}
