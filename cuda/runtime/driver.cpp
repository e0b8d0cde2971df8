#include "cuda/runtime/driver.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <initializer_list>

#include "common/base/error.hpp"

namespace boltzmark::cuda {
namespace {

/// The first of these libraries that there is.
void* open_library(const char* what, std::initializer_list<const char*> names, const char* advice) {
  for (const char* const name : names)
    if (void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
  throw unavailable("no {} ({}) on this machine; install {}", what, *names.begin(), advice);
}

template <class Function>
void find_optional(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
}

template <class Function>
void find(void* library, const char* name, Function*& function) {
  find_optional(library, name, function);
  if (!function) throw unavailable("CUDA: the installed library has no {}; it is too old", name);
}

Driver open_driver() {
  void* const library =
      open_library("CUDA driver", {"libcuda.so.1", "libcuda.so"}, "NVIDIA's driver for its GPUs");
  Driver opened;
#define FIND(name, ...) find(library, #name, opened.name);
  BOLTZMARK_CUDA_FUNCTIONS(FIND)
#define FIND_OPTIONAL(name, ...) find_optional(library, #name, opened.name);
  BOLTZMARK_CUDA_OPTIONAL_FUNCTIONS(FIND_OPTIONAL)
#undef FIND_OPTIONAL
  const CUresult status = opened.cuInit(0);
  int count = 0;
  if (status == no_device || (status == success && opened.cuDeviceGetCount(&count) == success && count == 0))
    throw unavailable("no CUDA device found: NVIDIA's driver is there but sees no GPU");
  if (status != success) {
    const char* name = nullptr;
    opened.cuGetErrorName(status, &name);
    throw unavailable("cannot start CUDA's driver: {} from cuInit",
                      name ? name : fmt::format("status {}", status));
  }
  return opened;
}

Nvrtc open_nvrtc() {
  void* const library =
      open_library("NVRTC, CUDA's run-time compiler",
                   {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "/usr/local/cuda/lib64/libnvrtc.so"},
                   "it from CUDA's toolkit (package cuda-nvrtc), version 12 or later");
  Nvrtc opened;
  BOLTZMARK_NVRTC_FUNCTIONS(FIND)
#undef FIND
  return opened;
}

}  // namespace

const Driver& driver() {
  static const Driver opened = open_driver();
  return opened;
}

const Nvrtc& nvrtc() {
  static const Nvrtc opened = open_nvrtc();
  return opened;
}

}  // namespace boltzmark::cuda
