// Building a source for a device.
#pragma once

#include <string>
#include <string_view>

#include "opencl/runtime/api.hpp"
#include "opencl/runtime/device.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {

/// Compiles a source for one device with these options, among which -cl-std is CL1.2 unless they name
/// another. Throws Error (unavailable) with the compiler's log when it does not build.
cl::Program build_program(const cl::Context& context, const ComputeDevice& device, std::string_view source,
                          const std::string& options);

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
