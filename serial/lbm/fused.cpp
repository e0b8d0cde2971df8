// Fused: one pass over the grid per step, from one grid to the other, in structure-of-arrays rows
// (common/lbm/cpu/strip.hpp).
//
//   step t      grid A  ->  grid B
//   step t+1    grid B  ->  grid A
//
// A cell's nine populations are read from its neighbours (pull), collided, and written to the cell itself.
#include "common/lbm/cpu/strip.hpp"

namespace boltzmark::serial {
using namespace lbm;
namespace {

template <class T, class L>
class Fused : public StripSolver<T, L, OnHost<Solver>> {
 public:
  void run(int steps, std::span<double> av_vels) override {
    for (int step = 0; step < steps; ++step)
      av_vels[step] = strip_->update_layers(0, strip_->layers(), step, step == steps - 1) / this->fluid_cells_;
    this->steps_ = steps;
  }

 private:
  using Fused::StripSolver::strip_;
};

}  // namespace

extern const lbm::Variant fused =
    stored_like_for_like_of<Fused>("fused", "structure of arrays, two grids, one vectorised pass per step");

}  // namespace boltzmark::serial
