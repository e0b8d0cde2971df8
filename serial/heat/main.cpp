// heat-serial: the heat equation on one core.
#include "common/heat/cpu/wavefront.hpp"
#include "common/heat/grid_solver.hpp"
#include "common/run/cpu_device.hpp"

namespace boltzmark::serial {
extern const heat::Variant textbook;
namespace {
using namespace heat;

// Swapped: the work array is the plate of the next step, and nothing is copied back.
//
//     for all cells   next = 0.2 (centre + north + south + west + east);   delta += |next - centre|
//     swap the arrays
//
// Compilers do not vectorise it, because they must not change the order of the sum delta.
template <class T>
struct Swapped {
  static void advance(PlateGrids<T>& at, std::span<double> deltas, const Workers&) {
    for (double& delta : deltas) {
      delta = 0.0;
      for (std::int64_t y = 0; y < at.plate.height; ++y) at.row_to_other(y, delta);
      at.now = 1 - at.now;
    }
  }
  static RunFacts facts(const PlateGrids<T>&) { return facts_of_step<T>(); }
};

// Vectors: swapped, a vector of cells at a time, with a sum of changes in each lane. If the grids do not fit in the
// caches, stores bypass them; otherwise a processor reads each line before it writes it.
//
//     for all rows   for all vectors of cells   next = 0.2 (...);   changes += |next - centre|
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

const heat::Variant swapped = {
    .name = "swapped", .summary = "one loop, and the two arrays are swapped", .make = by<Swapped>(one_worker)};
const heat::Variant vectors = vectors_of<Vectors>(
    "vectors", "the same in vectors, with non-temporal stores if the grid exceeds the caches", one_worker);
const heat::Variant wavefront = heat::wavefront_of(one_worker);

}  // namespace
}  // namespace boltzmark::serial

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace serial;
  return run_on_cpu(argc, argv, heat::workload, "serial", "on one core", {&textbook, &swapped, &vectors, &wavefront},
                    "wavefront");
}
