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
using GetName = int(char* name, int size, int device);
using GetAddress = int(char* address, int size, int device);
using GetFlags = int(unsigned* flags);
using SetFlags = int(unsigned flags);
constexpr unsigned schedule_mask = 7, schedule_spin = 1;

}  // namespace

std::string cuda_device_name() {
  const auto get_device = driver_function<GetDevice>("cuCtxGetDevice");
  const auto get_name = driver_function<GetName>("cuDeviceGetName");
  int device = 0;
  char name[256] = "";
  if (!get_device || !get_name || get_device(&device) != 0 || get_name(name, sizeof(name), device) != 0) return "";
  return name;
}

std::string cuda_pci_address() {
  const auto get_device = driver_function<GetDevice>("cuCtxGetDevice");
  const auto get_address = driver_function<GetAddress>("cuDeviceGetPCIBusId");
  int device = 0;
  char address[32] = "";
  if (!get_device || !get_address || get_device(&device) != 0 || get_address(address, sizeof(address), device) != 0)
    return "";
  return address;
}

bool wait_for_cuda_in_a_loop() {
  const auto get_flags = driver_function<GetFlags>("cuCtxGetFlags");
  const auto set_flags = driver_function<SetFlags>("cuCtxSetFlags");
  unsigned flags = 0;
  return get_flags && set_flags && get_flags(&flags) == 0 && set_flags((flags & ~schedule_mask) | schedule_spin) == 0;
}

}  // namespace boltzmark::openmp_target
