#include "common/run/nvml.hpp"

#include <dlfcn.h>

namespace boltzmark {

void* nvml_symbol(const char* name) {
  static void* const library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
  return library ? dlsym(library, name) : nullptr;
}

NvmlDevice* nvml_device(const std::string& pci_address) {
  NvmlDevice* device = nullptr;
  unsigned devices = 0;
  if (!nvml_call("nvmlInit_v2")) return nullptr;
  if (nvml_call("nvmlDeviceGetHandleByPciBusId_v2", pci_address.c_str(), &device)) return device;
  const bool is_only_one = nvml_call("nvmlDeviceGetCount_v2", &devices) && devices == 1;
  return is_only_one && nvml_call("nvmlDeviceGetHandleByIndex_v2", 0u, &device) ? device : nullptr;
}

}  // namespace boltzmark
