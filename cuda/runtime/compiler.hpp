// NVRTC, CUDA's run-time compiler, on the kernels.
#pragma once

#include <string>
#include <string_view>

#include "opencl/runtime/device.hpp"

namespace boltzmark::cuda {

/// What makes CUDA C++ of a kernel file: kernels/language.h, to stand before it.
extern const std::string_view language_source;

/// Machine code for the device, or PTX where its architecture is newer than the compiler. No device is needed for that. Throws
/// Error (unavailable) with the compiler's log.
std::string compile(const ComputeDevice& device, std::string_view source, const std::string& options);

}  // namespace boltzmark::cuda
