// For the threads of a processor. Fused: two grids, a parallel_reduce over the threads for each step. In place: one
// grid; a sweep of one or several steps is a parallel_for over tiles of rows and one over the gaps between them.
#include "kokkos/on_space.hpp"

#include "common/lbm/solver.hpp"
#ifndef __CUDACC__
#include "common/lbm/cpu/split_sweeps.hpp"
#include "common/lbm/cpu/strip.hpp"
#endif

namespace boltzmark::kokkos {
using namespace lbm;
extern const Variant textbook, fused_of_gpu;

#ifndef __CUDACC__
namespace {

struct Fused {
  template <class T, class L>
  static void run(Strip<T, L>& strip, std::span<double> sums, const Workers& workers) {
    const int steps = static_cast<int>(sums.size());
    for (int step = 0; step < steps; ++step)
      Kokkos::parallel_reduce(
          Threads(0, workers.count),
          [&strip, step, steps, threads = workers.count](std::int64_t me, double& sum) {
            const auto [begin, end] = part_of(strip.layers(), me, threads);
            sum += strip.update_layers(int(begin), int(end), step, step == steps - 1);
          },
          sums[step]);
  }
};

const Variant fused = fused_of<Fused>(
    "structure of arrays, two grids, one parallel_reduce per step, each thread the same rows, or planes",
    start_workers);
const Variant in_place = in_place_of(
    "one grid, updated in place, a tile of rows passes on to its neighbours in every step, one parallel_for",
    stored_by<SplitSolver>(start_workers));
const Variant split_tiling = split_tiling_of(
    "in place, several steps in one sweep over tiles of rows, all sweeps in one parallel_for", start_workers);

}  // namespace
#endif
}  // namespace boltzmark::kokkos

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace kokkos;
  return run_on_space(argc, argv, lbm::workload, {&textbook}, {ON_PROCESSORS(&fused, &in_place, &split_tiling)},
                      {&fused_of_gpu});
}
