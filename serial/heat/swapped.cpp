// Swapped: the work array is the plate of the next step, and nothing is copied back.
//
//     for all cells   next = 0.2 (centre + north + south + west + east);   delta += |next - centre|
//     swap the arrays
//
// Compilers do not vectorise it, because they must not change the order of the sum delta.
#include "common/heat/grid_solver.hpp"

namespace boltzmark::serial {
using namespace heat;
namespace {

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

}  // namespace

extern const heat::Variant swapped = {
    .name = "swapped", .summary = "one loop, and the two arrays are swapped", .make = by<Swapped>(one_worker)};

}  // namespace boltzmark::serial
