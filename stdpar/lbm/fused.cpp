// Fused in standard algorithms: each step is one transform_reduce over the layers of the grid (rows; planes in three
// dimensions), which updates layers and adds up what they return.
//
//   step t      grid A  ->  grid B     layers in any order, on any thread
//   step t+1    grid B  ->  grid A     when all of step t are done
//
// The library decides which thread updates which layer, and may decide differently in every step; a standard algorithm
// offers no control over it. The update of a row is the same as in the other CPU models (common/lbm/cpu/strip.hpp).
#include <algorithm>
#include <execution>
#include <functional>
#include <numeric>

#include "common/lbm/cpu/strip.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {
using namespace lbm;
namespace {

struct Fused {
  template <class T, class L>
  static void run(Strip<T, L>& strip, std::span<double> sums, const Workers&) {
    const int steps = static_cast<int>(sums.size()), layers = strip.layers();
    // A task of GCC's library is two or three of them: in a low grid one for each core, in others of some rows.
    const int together = std::clamp(layers / (2 * usable_cores()), 1, std::max(1, 8 / strip.rows()));
    for (int step = 0; step < steps; ++step)
      sums[step] = std::transform_reduce(std::execution::par, counting(0), counting((layers + together - 1) / together),
                                         0.0, std::plus<>{}, [&strip, layers, together, step, steps](std::int64_t at) {
                                           const int first = static_cast<int>(at) * together;
                                           return strip.update_layers(first, std::min(first + together, layers), step,
                                                                      step == steps - 1);
                                         });
  }
};

}  // namespace

extern const lbm::Variant fused = fused_of<Fused>(
    "structure of arrays, two grids, one transform_reduce over rows, or planes, per step", start_workers);

}  // namespace boltzmark::stdpar
