// CUDA's driver as a device API. A context is the device's primary one, a queue a stream, a program a module.
#pragma once

#include "common/device/api.hpp"

namespace boltzmark::cuda {

const device::Api& api();

}  // namespace boltzmark::cuda
