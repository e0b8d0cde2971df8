// The program of segmented sums on devices.
#pragma once

#include "common/device/array_program.hpp"
#include "common/segments/reducer.hpp"

namespace boltzmark::segments {

/// cub: the library as one more variant, the peer. cub: one more variant, if available.
Program device_program(const device::MakeLibraryCall& cub);
Program device_program();

}  // namespace boltzmark::segments
