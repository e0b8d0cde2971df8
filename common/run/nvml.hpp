// NVML, the library that tells the state of NVIDIA's GPUs, where it is. Functions and numbers: NVML's API reference.
#pragma once

#include <string>

namespace boltzmark {

struct NvmlDevice;

/// An address in the library, which stays open; nullptr without one.
void* nvml_symbol(const char* name);

/// Calls a function of the library; false where there is none or it fails.
template <class... Arguments>
bool nvml_call(const char* name, Arguments... arguments) {
  const auto function = reinterpret_cast<int (*)(Arguments...)>(nvml_symbol(name));
  return function && function(arguments...) == 0;
}

/// The device at this address; where the runtime's address is not NVML's, the only device there is; else nullptr.
NvmlDevice* nvml_device(const std::string& pci_address);

}  // namespace boltzmark
