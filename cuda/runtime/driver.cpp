#include "cuda/runtime/driver.hpp"

#include <fmt/core.h>

#include <cstdlib>

namespace boltzmark::cuda {
namespace {

void* open_or_say(const char* what, std::initializer_list<const char*> names, const char* advice) {
  if (void* const library = open_library(names)) return library;
  throw unavailable("no {} ({}) on this machine; install {}", what, *names.begin(), advice);
}

template <class Function>
void find_optional(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
}

Driver open_driver() {
  void* const library = open_or_say("CUDA driver", {"libcuda.so.1", "libcuda.so"}, "NVIDIA's driver for its GPUs");
  Driver opened;
#define FIND(name, ...) find_function("CUDA", library, #name, opened.name);
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
    throw unavailable("cannot start CUDA's driver: {} from cuInit", name ? name : fmt::format("status {}", status));
  }
  return opened;
}

Nvrtc open_nvrtc() {
  void* const library =
      open_or_say("NVRTC, CUDA's run-time compiler", {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12"},
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

std::vector<std::filesystem::path> toolkit_folders() {
  std::vector<std::filesystem::path> folders;
  for (const char* const variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* const named = std::getenv(variable); named && *named) folders.emplace_back(named);
  folders.emplace_back("/usr/local/cuda");
  return folders;
}

void* open_library(std::initializer_list<const char*> names) {
  std::vector<std::filesystem::path> folders = toolkit_folders();
  for (std::filesystem::path& folder : folders) folder /= "lib64";
  return open_library(names, folders);
}

const char* own_name(const char* call) { return call; }

}  // namespace boltzmark::cuda
