// Textbook: one algorithm over rows for each of the two loops; the second is a reduction.
//
//     for_each          row   work = 0.2 (centre + north + south + west + east)
//     transform_reduce  row   sum of |work - centre|;   centre = work
#include <algorithm>
#include <execution>
#include <functional>
#include <numeric>

#include "common/heat/grid_solver.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {
using namespace heat;
namespace {

template <class T>
struct Textbook {
  static void advance(PlateGrids<T>& at, std::span<double> deltas, const Workers&) {
    const counting first(0), end(at.plate.height);
    for (double& delta : deltas) {
      std::for_each(std::execution::par_unseq, first, end, [&at](std::int64_t y) { at.row_to_work(y); });
      delta = std::transform_reduce(std::execution::par_unseq, first, end, 0.0, std::plus<>(), [&at](std::int64_t y) {
        double delta_of_row = 0.0;
        at.row_to_plate(y, delta_of_row);
        return delta_of_row;
      });
    }
  }
  static RunFacts facts(const PlateGrids<T>&) { return facts_of_textbook<T>(); }
};

}  // namespace

extern const heat::Variant textbook =
    textbook_of("two algorithms over rows, one of them a reduction", by<Textbook>(start_workers));

}  // namespace boltzmark::stdpar
