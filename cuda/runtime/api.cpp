#include "cuda/runtime/api.hpp"

#include "cuda/runtime/compiler.hpp"
#include "cuda/runtime/context.hpp"

namespace boltzmark::cuda {

using namespace device;

namespace {

struct CudaApi final : Api {
  CudaApi() {
    name = "CUDA";
    model = "cuda";
    compiler_option = "nvrtc-options";
    compiler_option_example = "--use_fast_math";
    kernels_write_to_host = has_peers = has_managed_memory = records = true;
    most_recorded = 256;  // making a graph takes a few microseconds for each
    language = language_source;
  }
  std::vector<ComputeDevice> find_devices() const override { return cuda::find_devices(); }
  Context open(const ComputeDevice& device) const override { return open_context(device); }
  std::string compiler_options(const ComputeDevice& device, const BuildOptions& options,
                               const KernelShape& shape) const override {
    return cuda::compiler_options(device, options, shape);
  }
};

}  // namespace

const Api& api() {
  static const CudaApi cuda;
  return cuda;
}

}  // namespace boltzmark::cuda
