// A device of CUDA's driver, or of HIP, which has the same functions (hip/runtime). A context is the device's primary
// context, a queue is a stream, and a program is a module.
//
// context.cpp, devices.cpp and kernel_compiler.cpp are in either model's library. They use its driver(), nvrtc() and
// own_name() (driver.hpp), and language_source and kernel_language (compiler.hpp).
#pragma once

#include "common/device/device.hpp"

namespace boltzmark::cuda {

device::Context open_context(const device::ComputeDevice& device);

}  // namespace boltzmark::cuda
