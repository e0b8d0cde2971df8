// Bands of rows that a processor's compute units take many steps on in a launch, each in its own cache:
// kernels/bands.cl, and in three dimensions kernels/plane_bands.cl.
#pragma once

#include <string>
#include <vector>

#include "common/device/device.hpp"
#include "common/lbm/solver.hpp"

namespace boltzmark::opencl {

/// Groups wait for one another; or compute the rows round their bands themselves.
extern const lbm::Variant resident_wavefront, overlapped_wavefront;

/// Those of them that run on this device, the faster one first.
std::vector<std::string> usable_bands(const device::ComputeDevice& device);

}  // namespace boltzmark::opencl
