// STREAM on a device.
#pragma once

#include "common/stream/kernels.hpp"

namespace boltzmark::stream {

/// The program of the device API in use.
Program device_program();

}  // namespace boltzmark::stream
