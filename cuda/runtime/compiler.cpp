// Options of NVRTC, and the devices of CUDA's driver with architectures known to NVRTC.
#include "cuda/runtime/compiler.hpp"

#include <fmt/core.h>

#include "common/base/error.hpp"
#include "cuda/runtime/driver.hpp"

namespace boltzmark::cuda {

using namespace device;

const char* const kernel_language = "CUDA";

std::string compiler_options(const ComputeDevice& device, const BuildOptions& options, const KernelShape& shape) {
  // Denormals, divisions and roots as in OpenCL with -cl-denorms-are-zero: the same arithmetic in both models.
  std::string text =
      fmt::format("--std=c++20 --gpu-architecture={}{} --ftz=true --prec-div=false --prec-sqrt=false {}",
                  device.architecture, shape.is_for_architecture ? "a" : "", common_defines(options, shape));
  if (shape.reduction == Reduction::subgroup) text += " -D WARP_SHUFFLES";
  if (shape.native_math) text += " -D NATIVE_MATH";
  if (shape.most_registers > 0) text += fmt::format(" {}{}", registers_option, shape.most_registers);
  return with_more(text, options, shape);
}

namespace {

/// "CUDA 13.0": the newest version that the driver supports.
std::string driver_text() {
  int version = 0;
  check(driver().cuDriverGetVersion(&version), "cuDriverGetVersion");
  int major = 0, minor = 0;
  nvrtc().nvrtcVersion(&major, &minor);
  return fmt::format("CUDA {}.{}, NVRTC {}.{}", version / 1000, version % 1000 / 10, major, minor);
}

/// Machine code for the device's architecture; or, if the compiler is older, PTX for the newest one that it knows,
/// which the driver translates. A fixed table would end with the chips of its day.
void choose_architecture(ComputeDevice& device, CUdevice number) {
  const int own = 10 * attribute(number, capability_major) + attribute(number, capability_minor);
  int count = 0;
  nvrtc().nvrtcGetNumSupportedArchs(&count);
  std::vector<int> known(static_cast<std::size_t>(count));
  nvrtc().nvrtcGetSupportedArchs(known.data());
  int newest = 0;
  for (const int each : known)
    if (each <= own && each > newest) newest = each;
  device.capability = newest == 0 ? own : newest;
  device.architecture = fmt::format("{}_{}", newest == own ? "sm" : "compute", device.capability);
}

/// Facts of a device that only NVIDIA has.
void finish(ComputeDevice& device, CUdevice number) {
  device.platform = "NVIDIA CUDA";
  device.driver = driver_text();
  device.sub_groups = SubGroups::warps;
  choose_architecture(device, number);
}

}  // namespace

std::vector<ComputeDevice> find_devices() { return find_devices(finish); }

}  // namespace boltzmark::cuda
