// heat-thrust: the heat equation in Thrust.
#include "thrust/on_system.hpp"

#include "common/heat/grid_solver.hpp"

namespace boltzmark::by_thrust {
namespace {
using namespace heat;

/// Textbook: the two loops of a step, each over all cells, the second a transform_reduce.
///
///     work = 0.2 (centre + north + south + west + east)
///     delta += |work - centre|;   centre = work
template <class T>
struct Textbook {
  void init(PlateGrids<T>& at, int, const Workers&) {
    for (int i = 0; i < 2; ++i) grids_there[i] = {at.grids.row(i, -1) - 1, (at.plate.height + 2) * at.grids.pitch};
  }
  void advance(PlateGrids<T>& at, std::span<double> deltas, const Workers&) {
    const std::int64_t width = at.plate.width, pitch = at.grids.pitch;
    const Numbers first(0), last(width * at.plate.height);
    T *const plate = grids_there[0].data(), *const work = grids_there[1].data();
    for (double& delta : deltas) {
      thrust::for_each(
          on_system(), first, last, KERNEL_LAMBDA(std::int64_t i) {
            const std::int64_t at_cell = (i / width + 1) * pitch + i % width + 1;  // row 0 and column 0 are border
            work[at_cell] = T(0.2) * (plate[at_cell] + plate[at_cell - pitch] + plate[at_cell + pitch] +
                                      plate[at_cell - 1] + plate[at_cell + 1]);
          });
      const auto to_plate = KERNEL_LAMBDA(std::int64_t i)->double {
        const std::int64_t at_cell = (i / width + 1) * pitch + i % width + 1;
        const T change = std::abs(work[at_cell] - plate[at_cell]);
        plate[at_cell] = work[at_cell];
        return static_cast<double>(change);
      };
      delta = thrust::transform_reduce(on_system(), first, last, to_plate, 0.0, thrust::plus<double>());
    }
  }
  void collect(PlateGrids<T>&) { grids_there[0].download(); }
  static RunFacts facts(const PlateGrids<T>&) { return facts_of_textbook<T>(); }

  InSystem<T> grids_there[2];
};

#ifndef __CUDACC__
/// Rows: an index stands for four rows in a processor's vectors, and a step is one algorithm; the grids are exchanged.
template <class T, int lanes>
struct Rows {
  static void advance(PlateGrids<T>& at, std::span<double> deltas, const Workers&) {
    const std::int64_t width = at.plate.width, height = at.plate.height;
    for (double& delta : deltas) {
      const auto update = [&](std::int64_t number) {
        return update_rows<T, lanes>(at.grids, at.now, 4 * number, std::min(height, 4 * number + 4), width,
                                     at.past_caches);
      };
      delta = joined((height + 3) / 4, update, thrust::plus<double>());
      at.now = 1 - at.now;
    }
  }
  static RunFacts facts(const PlateGrids<T>& at) { return facts_of_vectors(at, lanes); }
};
#endif

const Variant textbook = textbook_of("a for_each and a transform_reduce over all cells, to a work array and back",
                                     by<Textbook>(start_workers));
ON_PROCESSORS(const Variant rows = vectors_of<Rows>(
                  "rows",
                  "one algorithm per step over groups of four rows, in vectors on a processor; the two grids "
                  "are swapped",
                  start_workers);)

}  // namespace
}  // namespace boltzmark::by_thrust

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace by_thrust;
  return run_on_system(argc, argv, heat::workload, {&textbook ON_PROCESSORS(, &rows)});
}
