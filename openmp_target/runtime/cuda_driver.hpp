// Queries to the CUDA driver that OpenMP has no call for: a GPU's name and address, and how the host waits for it.
#pragma once

#include <string>

namespace boltzmark::openmp_target {

/// Name of the NVIDIA GPU on which this thread's latest target region ran, "" where the driver does not say.
std::string cuda_device_name();

/// Where that GPU is on the PCI bus, "0000:17:00.0"; "" as above.
std::string cuda_pci_address();

/// Has the host wait for that GPU in a loop instead of asleep: LLVM's plugin asks for sleep, and waking up
/// takes longer than a small region. Returns whether the driver (12.1 or later) agreed.
bool wait_for_cuda_in_a_loop();

}  // namespace boltzmark::openmp_target
