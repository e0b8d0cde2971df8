// Of processors. Fused: two grids, and a time step is one algorithm over their rows, in three dimensions planes.
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
template <class T, class L>
struct Fused : StripSolver<T, L, OnSystem<OnHost<Solver>>> {
  void run(int steps, std::span<double> av_vels) override {
    for (int step = 0; step < steps; ++step) {
      const auto update = [&](std::int64_t layer) {
        return this->strip_->update_layers(int(layer), int(layer) + 1, step, step == steps - 1);
      };
      av_vels[step] = joined(this->strip_->layers(), update, thrust::plus<double>()) / this->fluid_cells_;
    }
    this->steps_ = steps;
  }
};

const Variant fused = stored_like_for_like_of<Fused>(
    "fused", "structure of arrays, two grids, one algorithm a step, over rows in vectors, or planes");
#endif

}  // namespace
}  // namespace boltzmark::by_thrust

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace by_thrust;
  return run_on_system(argc, argv, lbm::workload, {&textbook ON_PROCESSORS(, &fused)});
}
