// HIP's run-time library and hiprtc instead of CUDA's driver and NVRTC, opened when first needed, so the build needs
// nothing from HIP. Constants are those of HIP's C interface (hip_runtime_api.h), which are the same in versions 5 to
// 7; structures, which differ, are not used.
#include "cuda/runtime/driver.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "hip/runtime/api.hpp"
#include "hip/runtime/names.hpp"

namespace boltzmark::cuda {
namespace {

using std::filesystem::path;

/// Functions whose parameters differ from CUDA's.
struct OwnFunctions {
  const char* (*hipGetErrorName)(CUresult) = nullptr;
  int (*hipSetDevice)(CUdevice) = nullptr;
  int (*hipDeviceGetAttribute)(int* value, int attribute, CUdevice device) = nullptr;
  int (*hipMemcpy2DAsync)(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                          std::size_t height, int kind, CUstream stream) = nullptr;
  int (*hipGetDeviceProperties)(void* properties, CUdevice device) = nullptr;
} own;

int error_name(CUresult status, const char** name) { return *name = own.hipGetErrorName(status), success; }

/// A device has one context, which a thread uses after hipSetDevice.
int use_device(CUcontext* context, CUdevice device) {
  static char any;
  *context = reinterpret_cast<CUcontext>(&any);
  return own.hipSetDevice(device);
}
int keep_device(CUdevice) { return success; }
int keep_context(CUcontext) { return success; }

/// By HIP's constants, enum hipDeviceAttribute_t. Its compute capability is not comparable to NVIDIA's.
int attribute_of_device(int* value, int attribute, CUdevice device) {
  constexpr std::array<std::pair<int, int>, 11> numbers = {{{max_threads_per_block, 56},
                                                            {max_block_x, 26},
                                                            {max_block_y, 27},
                                                            {max_block_z, 28},
                                                            {shared_memory_per_block, 74},
                                                            {warp_size, 87},
                                                            {multiprocessors, 63},
                                                            {is_integrated, 16},
                                                            {second_level_cache_bytes, 19},
                                                            {threads_per_multiprocessor, 57},
                                                            {shared_memory_per_multiprocessor, 74}}};
  const auto* const known =
      std::find_if(numbers.begin(), numbers.end(), [&](const auto& number) { return number.first == attribute; });
  return known == numbers.end() ? invalid_value : own.hipDeviceGetAttribute(value, known->second, device);
}

/// hipMemcpyDefault: the addresses determine the memories; an address unknown to HIP is the host's.
int copy_rectangle(const Copy2D* copy, CUstream stream) {
  constexpr int to_device = 1, to_host = 2, by_addresses = 4;
  const auto first = [](const Copy2D::Side& side) {
    return side.memory == Copy2D::host ? side.host_address : reinterpret_cast<const void*>(side.device_address);
  };
  const int kind = copy->source.memory == Copy2D::host   ? to_device
                   : copy->target.memory == Copy2D::host ? to_host
                                                         : by_addresses;
  return own.hipMemcpy2DAsync(const_cast<void*>(first(copy->target)), copy->target.pitch, first(copy->source),
                              copy->source.pitch, copy->width_bytes, copy->height, kind, stream);
}

/// AMD's kernels may use all local memory of a group without a request.
int keep_attribute(CUfunction, int, int) { return success; }

std::vector<path> folders() {
  std::vector<path> found;
  for (const char* const variable : {"ROCM_PATH", "HIP_PATH"})
    if (const char* const named = std::getenv(variable); named && *named) found.push_back(path(named) / "lib");
  found.emplace_back("/opt/rocm/lib");
  return found;
}

void* runtime_library() {
  static void* const library =
      open_library({"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"}, folders());
  if (!library) throw unavailable("no HIP runtime (libamdhip64.so) on this machine; install AMD's ROCm");
  return library;
}

Driver open_driver() {
  void* const library = runtime_library();
  Driver opened;
#define FIND(name, own_name) find_function("HIP", library, #own_name, opened.name);
  BOLTZMARK_HIP_FUNCTIONS(FIND)
#undef FIND
#define FIND(name) find_function("HIP", library, #name, own.name);
  FIND(hipGetErrorName)
  FIND(hipSetDevice)
  FIND(hipDeviceGetAttribute)
  FIND(hipMemcpy2DAsync)
  const bool is_6 = dlsym(library, "hipGetDevicePropertiesR0600");
  find_function("HIP", library, is_6 ? "hipGetDevicePropertiesR0600" : "hipGetDeviceProperties",
                own.hipGetDeviceProperties);
#undef FIND
  opened.cuGetErrorName = error_name;
  opened.cuDevicePrimaryCtxRetain = use_device;
  opened.cuDevicePrimaryCtxRelease_v2 = keep_device;
  opened.cuCtxSetCurrent = keep_context;
  opened.cuDeviceGetAttribute = attribute_of_device;
  opened.cuMemcpy2DAsync_v2 = copy_rectangle;
  opened.cuFuncSetAttribute = keep_attribute;
  int count = 0;
  const CUresult started = opened.cuInit(0);
  const CUresult status = started == success ? opened.cuDeviceGetCount(&count) : started;
  constexpr CUresult invalid_device = 101;  // version 5's answer without the kernel driver
  if (status == no_device || status == invalid_device || (status == success && count == 0))
    throw unavailable("no HIP device found: HIP's runtime is there but sees no AMD GPU");
  if (status != success) throw unavailable("cannot start HIP's runtime: {} from hipInit", own.hipGetErrorName(status));
  return opened;
}

/// hiprtc is a separate library since ROCm 5.3; before, it was part of the runtime.
Nvrtc open_hiprtc() {
  void* library = open_library({"libhiprtc.so", "libhiprtc.so.7", "libhiprtc.so.6", "libhiprtc.so.5"}, folders());
  if (!library) library = runtime_library();
  Nvrtc opened;
#define FIND(name, own_name) find_function("hiprtc", library, #own_name, opened.name);
  BOLTZMARK_HIPRTC_FUNCTIONS(FIND)
#undef FIND
  return opened;
}

}  // namespace

const Driver& driver() {
  static const Driver opened = open_driver();
  return opened;
}

const Nvrtc& nvrtc() {
  static const Nvrtc opened = open_hiprtc();
  return opened;
}

const char* own_name(const char* call) {
#define IS_IT(name, own_name) \
  if (std::string_view(call) == #name) return #own_name;
  BOLTZMARK_HIP_FUNCTIONS(IS_IT)
#undef IS_IT
  if (std::string_view(call) == "cuDevicePrimaryCtxRetain") return "hipSetDevice";
  if (std::string_view(call) == "cuDeviceGetAttribute") return "hipDeviceGetAttribute";
  return std::string_view(call) == "cuMemcpy2DAsync_v2" ? "hipMemcpy2DAsync" : call;
}

}  // namespace boltzmark::cuda

namespace boltzmark::hip {

/// It is in hipDeviceProp_t, after the device's name of 256 bytes, at an offset that depends on the version.
std::string architecture_of(int device) {
  constexpr std::size_t largest_bytes = 16384, name_bytes = 256;
  std::vector<char> properties(largest_bytes);
  cuda::driver();
  cuda::check(cuda::own.hipGetDeviceProperties(properties.data(), device), "hipGetDeviceProperties");
  constexpr std::string_view begin = "gfx";
  const auto found = std::search(properties.begin() + name_bytes, properties.end(), begin.begin(), begin.end());
  return found == properties.end() ? "" : &*found;
}

}  // namespace boltzmark::hip
