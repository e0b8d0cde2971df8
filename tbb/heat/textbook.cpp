// Textbook: one algorithm over rows for each of the two loops; the second is a reduction.
//
//     parallel_for      rows   work = 0.2 (centre + north + south + west + east)
//     parallel_reduce   rows   sum of |work - centre|;   centre = work
#include "common/heat/grid_solver.hpp"
#include "tbb/on_arena.hpp"

namespace boltzmark::onetbb {
using namespace heat;
namespace {

template <class T>
struct Textbook {
  static void advance(PlateGrids<T>& at, std::span<double> deltas, const Workers&) {
    using Rows = tbb::blocked_range<std::int64_t>;
    const std::int64_t height = at.plate.height;
    arena().execute([&] {
      for (double& delta_of_step : deltas) {
        tbb::parallel_for(std::int64_t{0}, height, [&](std::int64_t y) { at.row_to_work(y); });
        delta_of_step = tbb::parallel_reduce(
            Rows(0, height), 0.0,
            [&](const Rows& rows, double delta) {
              for (std::int64_t y = rows.begin(); y != rows.end(); ++y) at.row_to_plate(y, delta);
              return delta;
            },
            std::plus<>());
      }
    });
  }
  static RunFacts facts(const PlateGrids<T>&) { return facts_of_textbook<T>(); }
};

}  // namespace

extern const heat::Variant textbook = textbook_of(
    "a parallel_for over rows and a parallel_reduce, to a work array and back", by<Textbook>(start_workers));

}  // namespace boltzmark::onetbb
