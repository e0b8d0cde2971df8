// Fused in standard algorithms: each step is one transform_reduce over the layers of the grid (rows; planes in three
// dimensions), which updates a layer and adds up what it returns.
//
//   step t      grid A  ->  grid B     layers in any order, on any thread
//   step t+1    grid B  ->  grid A     when all of step t are done
//
// The library decides which thread updates which layer, and may decide differently in every step; a standard algorithm
// cannot ask for more. What happens to a row is the same as in the other CPU models (common/lbm/cpu/strip.hpp).
#include <algorithm>
#include <execution>
#include <functional>
#include <numeric>

#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/cpu/strip.hpp"
#include "common/lbm/solver.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {
using namespace lbm;
namespace {

template <class T, class L>
class Fused : public OnCores<OnHost<Solver>> {
 public:
  void init(const Problem& problem) override {
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    const int layers = problem.parameters.layers();
    strip_.emplace(problem, 0, layers, false);
    std::for_each(std::execution::par, counting(0), counting(layers), [this](std::int64_t at) {
      const int layer = static_cast<int>(at);
      strip_->init_layers(layer, layer + 1);
    });
  }

  void run(int steps, std::span<double> av_vels) override {
    const int layers = strip_->layers();
    for (int step = 0; step < steps; ++step)
      av_vels[step] = std::transform_reduce(std::execution::par, counting(0), counting(layers), 0.0, std::plus<>{},
                                            [this, step, steps](std::int64_t at) {
                                              const int layer = static_cast<int>(at);
                                              return strip_->update_layers(layer, layer + 1, step, step == steps - 1);
                                            }) /
                      fluid_cells_;
    steps_ = steps;
  }

  void collect(State& state) override { strip_->collect(steps_, fields_of(state)); }

  RunFacts facts() const override { return this->on_machine(cpu_facts<T, L>(2, {{"vvl", Strip<T, L>::lanes}})); }

 private:
  double fluid_cells_ = 0.0;
  int steps_ = 0;
  std::optional<Strip<T, L>> strip_;
};

}  // namespace

extern const lbm::Variant fused = like_for_like_of<Fused>(
    "fused", "structure of arrays, two grids, one transform_reduce over rows, or planes, per step");

}  // namespace boltzmark::stdpar
