// HIP as a device API: the implementation for CUDA's driver (cuda/runtime/context.hpp), on HIP's functions, for AMD's
// GPUs.
#pragma once

#include <string>

#include "common/device/api.hpp"

namespace boltzmark::hip {

const device::Api& api();

/// "gfx90a:sramecc+:xnack-", as hiprtc expects it; "" if the runtime does not report it. Throws device::Failure.
std::string architecture_of(int device);

}  // namespace boltzmark::hip
