// All rows of a grid on one device, as a model of the common main.
#pragma once

#include <memory>

#include "common/lbm/solver.hpp"
#include "opencl/lbm/device_strip.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
using namespace lbm;

/// The model that runs every step of the whole grid on `strip`, in launches of all rows. Throws what it does.
std::unique_ptr<Solver> on_whole_grid(std::unique_ptr<DeviceStrip> strip);

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
