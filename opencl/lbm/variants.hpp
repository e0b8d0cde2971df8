// The variants that OpenCL alone has.
#pragma once

#include <string>
#include <vector>

#include "common/device/device.hpp"
#include "common/lbm/solver.hpp"

namespace boltzmark::opencl {

extern const lbm::Variant textbook;

/// The published ladder, its steps in their order.
std::vector<lbm::Variant> ladder();

/// Bands of rows that a processor's compute units take many steps on in a launch, each in its own cache. Groups wait
/// for one another; or compute the rows round their bands themselves.
extern const lbm::Variant resident_wavefront, overlapped_wavefront;
/// Those of them that run on this device, the faster one first.
std::vector<std::string> usable_bands(const device::ComputeDevice& device);

}  // namespace boltzmark::opencl
