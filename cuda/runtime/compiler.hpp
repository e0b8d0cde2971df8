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
/// Those of the library; `finish` adds its own name, the architecture, and what kernels can use of sub-groups.
std::vector<device::ComputeDevice> find_devices(void (*finish)(device::ComputeDevice&, CUdevice));

/// What makes CUDA C++ of a kernel file: kernels/language.h, which stands before it. Of HIP it is hip/runtime's.
extern const std::string_view language_source;
extern const char* const kernel_language;  ///< "CUDA"

std::string compiler_options(const device::ComputeDevice& device, const device::BuildOptions& options,
                             const device::KernelShape& shape);
inline constexpr const char* registers_option = "--maxrregcount=";
/// The limit among these options, for PTX that the driver assembles; 0 where there is none.
int most_registers(const std::string& options);

/// Machine code for the device, or PTX where its architecture is newer than the compiler. No device is needed for that.
/// Throws Error (unavailable) with the compiler's log.
std::string compile(const device::ComputeDevice& device, std::string_view source, const std::string& options);

}  // namespace boltzmark::cuda
