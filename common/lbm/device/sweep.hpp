// Several time steps in one sweep over the layers (rows, or planes) of a grid that is updated in place.
#pragma once

#include <vector>

#include "common/lbm/device/layout.h"
#include "common/lbm/problem.hpp"

namespace boltzmark::lbm {

/// A step of some layers.
struct SweepPart {
  int step = 0;  ///< of the sweep
  Bands bands = {};
  int layers_before = 0;  ///< that the sweep's earlier parts of this step have
};

/// The parts of a sweep in the order of their launches. A step of a layer needs the step before of that layer and of
/// both neighbours. So blocks of layers are taken through all steps, one after the other, and reach back by a layer
/// with every step. The first one cannot, and is narrower instead; what it leaves out, the last one takes, round the
/// end of the ring. With 8 layers and 3 steps, and blocks of 2 behind a first one of 5, which block has a layer:
///
///     layer     0 1 2 3 4 5 6 7
///     step 0    1 1 1 1 1 2 2 3
///     step 1    3 1 1 1 2 2 3 3
///     step 2    3 3 1 2 2 3 3 3
///
/// Too few layers for that give one block, of all layers in every step.
std::vector<SweepPart> sweep_parts(int layers, int steps, int block_layers);

/// Layers of a block: enough work for a launch.
int sweep_block_layers(const Parameters& parameters);

/// Steps of a sweep, such that the layers in play stay in the caches. layer_bytes: of populations.
int sweep_steps(double layer_bytes, int block_layers);

}  // namespace boltzmark::lbm
