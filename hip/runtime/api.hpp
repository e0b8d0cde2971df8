// HIP as a device API: that of CUDA's driver (cuda/runtime/context.hpp) on HIP's functions, for AMD's GPUs.
#pragma once

#include <string>

#include "common/device/api.hpp"

namespace boltzmark::hip {

const device::Api& api();

/// "gfx90a:sramecc+:xnack-", as hiprtc wants it; "" where the runtime does not tell it. Throws device::Failure.
std::string architecture_of(int device);

}  // namespace boltzmark::hip
