#include "cuda/runtime/driver.hpp"

#include <fmt/core.h>

#include <cstdlib>

#include "common/device/api.hpp"

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

void check(CUresult status, const char* call) {
  using Kind = device::Failure::Kind;
  constexpr CUresult misaligned_address = 716, launch_failed = 719, device_lost = 46, hardware_error = 714;
  if (status == success) return;
  Kind kind = Kind::other;
  const char* meaning = "";
  if (status == illegal_address || status == misaligned_address || status == launch_failed) {
    meaning = "; the driver stopped a kernel that read or wrote outside its arrays";
  } else if (status == launch_out_of_resources) {
    kind = Kind::too_large_group;
    meaning = "; the device has too few registers or too little shared memory for such groups";
  } else if (status == invalid_value) {
    kind = Kind::too_large_group;
  } else if (status == device_lost || status == hardware_error) {
    meaning = "; the device is lost, see the system's log";
  } else if (status == out_of_memory) {
    kind = Kind::out_of_memory;
    meaning = "; the device has too little memory left";
  }
  const char* known = nullptr;
  const std::string name =
      driver().cuGetErrorName(status, &known) == success && known ? known : fmt::format("status {}", status);
  throw device::Failure(kind, name, fmt::format("{} from {}{}", name, call, meaning));
}

std::vector<std::filesystem::path> toolkit_folders() {
  std::vector<std::filesystem::path> folders;
  for (const char* const variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* const named = std::getenv(variable); named && *named) folders.emplace_back(named);
  folders.emplace_back("/usr/local/cuda");
  return folders;
}

void* open_library(std::initializer_list<const char*> names) {
  for (const char* const name : names)
    if (void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
  for (const std::filesystem::path& folder : toolkit_folders())
    for (const char* const name : names)
      if (void* const library = dlopen((folder / "lib64" / name).c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  return nullptr;
}

}  // namespace boltzmark::cuda
