// Textbook: new temperatures go to a work array, then back.
//
//     for all cells   work = 0.2 (centre + north + south + west + east)
//     for all cells   delta += |work - centre|;   centre = work
#include "common/heat/grid_solver.hpp"

namespace boltzmark::serial {
using namespace heat;
namespace {

template <class T>
struct Textbook {
  static void advance(PlateGrids<T>& at, std::span<double> deltas, const Workers&) {
    const std::int64_t height = at.plate.height;
    for (double& delta : deltas) {
      for (std::int64_t y = 0; y < height; ++y) at.row_to_work(y);
      delta = 0.0;
      for (std::int64_t y = 0; y < height; ++y) at.row_to_plate(y, delta);
    }
  }
  static RunFacts facts(const PlateGrids<T>&) { return facts_of_textbook<T>(); }
};

}  // namespace

extern const heat::Variant textbook =
    textbook_of("two loops: to a work array, and back with the sum of changes", by<Textbook>(one_worker));

}  // namespace boltzmark::serial
