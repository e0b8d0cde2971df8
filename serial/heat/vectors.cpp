// Vectors: swapped, a vector of cells at a time, with a sum of changes in each lane. If the grids do not fit in the
// caches, stores bypass them; otherwise a processor reads each line before it writes it.
//
//     for all rows   for all vectors of cells   next = 0.2 (...);   changes += |next - centre|
#include "common/heat/grid_solver.hpp"

namespace boltzmark::serial {
using namespace heat;
namespace {

template <class T, int lanes>
struct Vectors {
  static void advance(PlateGrids<T>& at, std::span<double> deltas, const Workers&) {
    for (double& delta : deltas) {
      delta = update_rows<T, lanes>(at.grids, at.now, 0, at.plate.height, at.plate.width, at.past_caches);
      at.now = 1 - at.now;
    }
  }
  static RunFacts facts(const PlateGrids<T>& at) { return facts_of_vectors(at, lanes); }
};

}  // namespace

extern const heat::Variant vectors = vectors_of<Vectors>(
    "vectors", "the same in vectors, with non-temporal stores if the grid exceeds the caches", one_worker);

}  // namespace boltzmark::serial
