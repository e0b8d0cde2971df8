// CUDA's driver as a device API. A context is the device's primary context, a queue is a stream, and a program is a
// module.
#pragma once

#include "common/device/api.hpp"

namespace boltzmark::cuda {

const device::Api& api();

}  // namespace boltzmark::cuda
