// The variant `persistent` in three dimensions: all steps in one launch, the grid in the local memories (kernels/bricks.cl).
#pragma once

#include <memory>

#include "common/lbm/solver.hpp"
#include "opencl/lbm/options.hpp"
#include "opencl/runtime/device.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
using namespace lbm;

/// init throws as plan_bricks, and Error (unavailable) where walls move; run where a wait has run out.
std::unique_ptr<Solver> make_bricks(const ComputeDevice& device, const LbmOptions& options);

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
