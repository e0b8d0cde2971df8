#include "hip/runtime/api.hpp"

#include <fmt/core.h>

#include "cuda/runtime/compiler.hpp"
#include "cuda/runtime/context.hpp"

namespace boltzmark::cuda {
const char* const kernel_language = "HIP";
}

namespace boltzmark::hip {

using namespace device;

namespace {

/// "HIP 6.2, hiprtc 9.0"
std::string driver_text() {
  int version = 0, major = 0, minor = 0;
  cuda::check(cuda::driver().cuDriverGetVersion(&version), "cuDriverGetVersion");
  cuda::nvrtc().nvrtcVersion(&major, &minor);
  return fmt::format("HIP {}.{}, hiprtc {}.{}", version / 10'000'000, version / 100'000 % 100, major, minor);
}

/// Kernels use wavefronts of any size as OpenCL sub-groups, and refuse code for NVIDIA's warps. There is no PCI
/// address, because it is for NVML, which knows no AMD devices.
void finish(ComputeDevice& device, int number) {
  device.platform = "AMD HIP";
  device.driver = driver_text();
  device.architecture = architecture_of(number);
  device.sub_groups = SubGroups::standard;
  device.pci_address.clear();
  device.unit_items = 0;  // the number of groups that fit is computed for NVIDIA's registers
}

struct HipApi final : Api {
  HipApi() {
    name = "HIP";
    model = "hip";
    compiler_option = "hiprtc-options";
    compiler_option_example = "-ffast-math";
    kernels_write_to_host = has_managed_memory = records = true;
    most_recorded = 256;
    language = cuda::language_source;
  }
  std::vector<ComputeDevice> find_devices() const override { return cuda::find_devices(finish); }
  Context open(const ComputeDevice& device) const override { return cuda::open_context(device); }

  /// Denormals, divisions and roots as in OpenCL with -cl-denorms-are-zero. Clang's driver does not set the latter by
  /// itself.
  std::string compiler_options(const ComputeDevice& device, const BuildOptions& options,
                               const KernelShape& shape) const override {
    std::string text = "-std=c++20 -fgpu-flush-denormals-to-zero -Xclang -fno-hip-fp32-correctly-rounded-divide-sqrt";
    if (!device.architecture.empty()) text += " --offload-arch=" + device.architecture;
    text += fmt::format(" -D LANES_OF_WAVEFRONT={} {}", device.sub_group_size, common_defines(options, shape));
    if (shape.reduction == Reduction::subgroup) text += " -D SUB_GROUPS";
    if (shape.native_math) text += " -D NATIVE_MATH";
    return with_more(text, options, shape);
  }
};

}  // namespace

const Api& api() {
  static const HipApi hip;
  return hip;
}

}  // namespace boltzmark::hip
