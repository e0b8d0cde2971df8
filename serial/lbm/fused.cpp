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

struct Fused {
  template <class T, class L>
  static void run(Strip<T, L>& strip, std::span<double> sums, const Workers&) {
    const int steps = static_cast<int>(sums.size());
    for (int step = 0; step < steps; ++step)
      sums[step] = strip.update_layers(0, strip.layers(), step, step == steps - 1);
  }
};

}  // namespace

extern const lbm::Variant fused =
    fused_of<Fused>("structure of arrays, two grids, one vectorised pass per step", one_worker);

}  // namespace boltzmark::serial
