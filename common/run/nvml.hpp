// NVML, the library that reports the state of NVIDIA's GPUs, if it is installed. Functions and numbers: NVML's API
// reference.
#pragma once

#include <string>

namespace boltzmark {

struct NvmlDevice;

/// Address of a function in the library, which stays open; nullptr if there is none.
void* nvml_symbol(const char* name);

/// Calls a function of the library; false if it is missing or fails.
template <class... Arguments>
bool nvml_call(const char* name, Arguments... arguments) {
  const auto function = reinterpret_cast<int (*)(Arguments...)>(nvml_symbol(name));
  return function && function(arguments...) == 0;
}

/// The device at this address; if NVML does not know the address, the only device, else nullptr.
NvmlDevice* nvml_device(const std::string& pci_address);

}  // namespace boltzmark
