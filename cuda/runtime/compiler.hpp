// CUDA's devices, and NVRTC, its run-time compiler, on the kernels.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/device/build.hpp"
#include "common/device/device.hpp"
#include "cuda/runtime/driver.hpp"

namespace boltzmark::cuda {

std::vector<device::ComputeDevice> find_devices();
/// The library's devices; `finish` adds the name, the architecture, and the support of sub-groups.
std::vector<device::ComputeDevice> find_devices(void (*finish)(device::ComputeDevice&, CUdevice));

/// The header that makes a kernel file CUDA C++: kernels/language.h, placed before it. For HIP it is that of
/// hip/runtime.
extern const std::string_view language_source;
extern const char* const kernel_language;  ///< "CUDA"

std::string compiler_options(const device::ComputeDevice& device, const device::BuildOptions& options,
                             const device::KernelShape& shape);
inline constexpr const char* registers_option = "--maxrregcount=";
/// The register limit among these options, for PTX that the driver assembles; 0 without a limit.
int most_registers(const std::string& options);

/// Machine code for the device, or PTX if its architecture is newer than the compiler. This needs no device. Throws
/// Error (unavailable) with the compiler's log.
std::string compile(const device::ComputeDevice& device, std::string_view source, const std::string& options);

}  // namespace boltzmark::cuda
