// Fused: one pass over the grid per step, from one grid to the other, in structure-of-arrays rows
// (common/lbm/cpu/strip.hpp).
//
//   step t      grid A  ->  grid B
//   step t+1    grid B  ->  grid A
//
// A cell's nine populations are read from its neighbours (pull), collided, and written to the cell itself.
#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/cpu/strip.hpp"
#include "serial/lbm/variants.hpp"

namespace boltzmark::serial {
using namespace lbm;
namespace {

template <class T>
class Fused : public Solver {
 public:
  void init(const Problem& problem) override {
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    strip_.emplace(problem, 0, problem.parameters.ny, false);
    strip_->init_rows(0, strip_->rows());
  }

  void run(int steps, std::span<double> av_vels) override {
    strip_->accelerate_start();
    for (int step = 0; step < steps; ++step)
      av_vels[step] = strip_->update_rows(0, strip_->rows(), step, step == steps - 1) / fluid_cells_;
    steps_ = steps;
  }

  void collect(State& state) override { strip_->collect(steps_, fields_of(state)); }

  RunFacts facts() const override { return cpu_facts<T>(2, {{"vector_lanes", Strip<T>::lanes}}); }

 private:
  double fluid_cells_ = 0.0;
  int steps_ = 0;
  std::optional<Strip<T>> strip_;
};

}  // namespace

std::unique_ptr<Solver> make_fused(Precision precision) {
  if (precision == Precision::f64) return std::make_unique<Fused<double>>();
  return std::make_unique<Fused<float>>();
}

}  // namespace boltzmark::serial
