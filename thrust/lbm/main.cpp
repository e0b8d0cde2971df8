// For processors. Fused: two grids, and a time step is one algorithm over their rows, in three dimensions planes.
#include "thrust/on_system.hpp"

#include "common/lbm/solver.hpp"
#ifndef __CUDACC__
#include "common/lbm/cpu/strip.hpp"
#endif

namespace boltzmark::by_thrust {
using namespace lbm;
extern const Variant textbook;
namespace {

#ifndef __CUDACC__
struct Fused {
  template <class T, class L>
  static void run(Strip<T, L>& strip, std::span<double> sums, const Workers&) {
    const int steps = static_cast<int>(sums.size());
    for (int step = 0; step < steps; ++step) {
      const auto update = [&](std::int64_t layer) {
        return strip.update_layers(int(layer), int(layer) + 1, step, step == steps - 1);
      };
      sums[step] = joined(strip.layers(), update, thrust::plus<double>());
    }
  }
};

const Variant fused = fused_of<Fused>(
    "structure of arrays, two grids, one algorithm per step, over rows in vectors, or planes", start_workers);
#endif

}  // namespace
}  // namespace boltzmark::by_thrust

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace by_thrust;
  return run_on_system(argc, argv, lbm::workload, {&textbook ON_PROCESSORS(, &fused)});
}
