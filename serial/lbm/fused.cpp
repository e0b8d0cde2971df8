// Fused: one pass over the grid per step, from one grid to the other, in structure-of-arrays rows
// (common/lbm/cpu/strip.hpp).
//
//   step t      grid A  ->  grid B
//   step t+1    grid B  ->  grid A
//
// A cell's nine populations are read from its neighbours (pull), collided, and written to the cell itself.
#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/cpu/strip.hpp"
#include "common/lbm/solver.hpp"

namespace boltzmark::serial {
using namespace lbm;
namespace {

template <class T, class L>
class Fused : public OnHost<Solver> {
 public:
  void init(const Problem& problem) override {
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    strip_.emplace(problem, 0, problem.parameters.layers(), false);
    strip_->init_layers(0, strip_->layers());
  }

  void run(int steps, std::span<double> av_vels) override {
    for (int step = 0; step < steps; ++step)
      av_vels[step] = strip_->update_layers(0, strip_->layers(), step, step == steps - 1) / fluid_cells_;
    steps_ = steps;
  }

  void collect(State& state) override { strip_->collect(steps_, fields_of(state)); }

  RunFacts facts() const override { return on_machine(cpu_facts<T, L>(2, {{"vvl", Strip<T, L>::lanes}})); }

 private:
  double fluid_cells_ = 0.0;
  int steps_ = 0;
  std::optional<Strip<T, L>> strip_;
};

}  // namespace

extern const lbm::Variant fused =
    like_for_like_of<Fused>("fused", "structure of arrays, two grids, one vectorised pass per step");

}  // namespace boltzmark::serial
