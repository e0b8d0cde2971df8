// The heat equation on a device by any of the ways.
#pragma once

#include <memory>

#include "common/heat/solver.hpp"
#include "opencl/heat/ways.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {

/// Throws Error (unavailable) where the device cannot run it.
std::unique_ptr<Solver> make_solver(const Options& options);

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
