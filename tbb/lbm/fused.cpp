// Fused: each step is one reduction over the layers of the grid (rows; planes in three dimensions).
//
//   step t      grid A  ->  grid B     slot 0: layers 0 .. a-1, slot 1: layers a .. b-1, ...
//   step t+1    grid B  ->  grid A     when all of step t are done; each slot has the same layers
//
// A static_partitioner divides the layers evenly over the slots of the arena, in every step and for the start state, so
// rows stay with threads; a standard algorithm cannot express this.
#include "common/lbm/cpu/strip.hpp"
#include "tbb/on_arena.hpp"

namespace boltzmark::onetbb {
using namespace lbm;
namespace {

using Layers = tbb::blocked_range<int>;

struct Fused {
  template <class T, class L>
  static void init(Strip<T, L>& strip, const Workers&) {
    arena().execute([&] {
      tbb::parallel_for(
          Layers(0, strip.layers()), [&](const Layers& mine) { strip.init_layers(mine.begin(), mine.end()); },
          tbb::static_partitioner());
    });
  }
  template <class T, class L>
  static void run(Strip<T, L>& strip, std::span<double> sums, const Workers&) {
    const int steps = static_cast<int>(sums.size());
    arena().execute([&] {
      for (int step = 0; step < steps; ++step)
        sums[step] = tbb::parallel_deterministic_reduce(
            Layers(0, strip.layers()), 0.0,
            [&](const Layers& mine, double sum) {
              return sum + strip.update_layers(mine.begin(), mine.end(), step, step == steps - 1);
            },
            std::plus<>(), tbb::static_partitioner());
    });
  }
};

}  // namespace

extern const lbm::Variant fused = fused_of<Fused>(
    "structure of arrays, two grids, one reduction per step, each slot the same rows, or planes", start_workers);

}  // namespace boltzmark::onetbb
