#include "common/lbm/device/sweep.hpp"

#include <algorithm>

namespace boltzmark::lbm {
namespace {

/// Layers from `first` to before `end`, which may lie beyond the ring's last one.
Bands ring_bands(int first, int end, int layers) {
  const int beyond = std::max(0, end - layers);
  return {.south = first, .south_rows = end - beyond - first, .north = 0, .north_rows = beyond};
}

}  // namespace

std::vector<SweepPart> sweep_parts(int layers, int steps, int block_layers) {
  std::vector<SweepPart> parts;
  const int first_block = 2 * (steps - 1) + block_layers;
  if (first_block >= layers) {
    for (int step = 0; step < steps; ++step) parts.push_back({step, ring_bands(0, layers, layers), 0});
    return parts;
  }
  for (int begin = 0, end = first_block; begin < layers; begin = end, end = std::min(layers, end + block_layers))
    for (int step = 0; step < steps; ++step) {
      const int first = begin == 0 ? step : begin - step;
      const int behind = end == layers ? layers + step : end - step;
      parts.push_back({step, ring_bands(first, behind, layers), first - step});
    }
  return parts;
}

int sweep_block_layers(const Parameters& parameters) {
  constexpr std::int64_t launch_cells = 1 << 17;  // a tenth of a millisecond of work on a few cores
  return static_cast<int>(std::clamp<std::int64_t>(launch_cells / parameters.layer_cells(), 1, parameters.layers()));
}

int sweep_steps(double layer_bytes, int block_layers) {
  constexpr double cache_bytes = 16 << 20;  // what a few cores can count on
  constexpr int most_steps = 8;             // then arithmetic takes longer than memory
  const int layers = static_cast<int>(std::min(cache_bytes / layer_bytes, 1000.0)) - block_layers;
  return std::clamp(layers / 2 * 2, 2, most_steps);
}

}  // namespace boltzmark::lbm
