// Matrix multiplication on a device by any of the rungs.
#pragma once

#include <memory>

#include "common/matmul/multiplier.hpp"
#include "opencl/matmul/rungs.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {

/// Throws Error (unavailable) where the device cannot run it.
std::unique_ptr<Multiplier> make_multiplier(const Options& options);

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
