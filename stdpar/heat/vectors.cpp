// Vectors: one reduction over parts of the rows, each updated in vectors; the two grids are exchanged.
//
//     transform_reduce  rows   next = 0.2 (...);   sum of |next - centre|
#include <algorithm>
#include <execution>
#include <functional>
#include <numeric>

#include "common/heat/grid_solver.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {
using namespace heat;
namespace {

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

}  // namespace

extern const heat::Variant vectors =
    vectors_of<Vectors>("vectors", "one reduction over parts of the rows, updated in vectors", start_workers);

}  // namespace boltzmark::stdpar
