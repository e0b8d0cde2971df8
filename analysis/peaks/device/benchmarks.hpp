// The benchmarks of a device.
#pragma once

#include "common/device/device.hpp"

namespace boltzmark::peaks {

/// Registers all benchmarks of the device with that number.
void add_benchmarks(int number, const device::ComputeDevice& device);

}  // namespace boltzmark::peaks
