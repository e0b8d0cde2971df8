// NVML, the library that reports the state of NVIDIA's GPUs, if it is installed. Functions and numbers: NVML's API
// reference.
#pragma once

#include <dlfcn.h>

#include <string>

namespace boltzmark {

struct NvmlDevice;

/// Address of a function in the library, which stays open; nullptr if there is none.
inline void* nvml_symbol(const char* name) {
  static void* const library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
  return library ? dlsym(library, name) : nullptr;
}

/// Calls a function of the library; false if it is missing or fails.
template <class... Arguments>
bool nvml_call(const char* name, Arguments... arguments) {
  const auto function = reinterpret_cast<int (*)(Arguments...)>(nvml_symbol(name));
  return function && function(arguments...) == 0;
}

/// The device at this address; if NVML does not know the address, the only device, else nullptr.
inline NvmlDevice* nvml_device(const std::string& pci_address) {
  NvmlDevice* device = nullptr;
  unsigned devices = 0;
  if (!nvml_call("nvmlInit_v2")) return nullptr;
  if (nvml_call("nvmlDeviceGetHandleByPciBusId_v2", pci_address.c_str(), &device)) return device;
  const bool is_only_one = nvml_call("nvmlDeviceGetCount_v2", &devices) && devices == 1;
  return is_only_one && nvml_call("nvmlDeviceGetHandleByIndex_v2", 0u, &device) ? device : nullptr;
}

}  // namespace boltzmark
