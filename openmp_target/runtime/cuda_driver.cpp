#include "openmp_target/runtime/cuda_driver.hpp"

#include <dlfcn.h>

namespace boltzmark::openmp_target {
namespace {

/// A function of the driver library that the offload plugin has loaded, nullptr without one. Linking with it
/// would keep the program from starting where there is no driver.
template <class Function>
Function* driver_function(const char* name) {
  static void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  return library ? reinterpret_cast<Function*>(dlsym(library, name)) : nullptr;
}

// The plugin leaves its context current in the thread whose region it has run. Interfaces and numbers: CUDA
// driver API, "Context Management" and "Device Management". A result of 0 is success.
using GetDevice = int(int* device);
using GetText = int(char* text, int size, int device);
using GetFlags = int(unsigned* flags);
using SetFlags = int(unsigned flags);
constexpr unsigned schedule_mask = 7, schedule_spin = 1;

/// What a query says of that context's device; "" where it cannot.
std::string text_by(const char* query) {
  const auto get_device = driver_function<GetDevice>("cuCtxGetDevice");
  const auto get_text = driver_function<GetText>(query);
  int device = 0;
  char text[256] = "";
  if (!get_device || !get_text || get_device(&device) != 0 || get_text(text, sizeof(text), device) != 0) return "";
  return text;
}

}  // namespace

std::string cuda_device_name() { return text_by("cuDeviceGetName"); }

std::string cuda_pci_address() { return text_by("cuDeviceGetPCIBusId"); }

bool wait_for_cuda_in_a_loop() {
  const auto get_flags = driver_function<GetFlags>("cuCtxGetFlags");
  const auto set_flags = driver_function<SetFlags>("cuCtxSetFlags");
  unsigned flags = 0;
  return get_flags && set_flags && get_flags(&flags) == 0 && set_flags((flags & ~schedule_mask) | schedule_spin) == 0;
}

}  // namespace boltzmark::openmp_target
