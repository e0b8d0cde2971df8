// The program of segmented sums on devices.
#pragma once

#include "common/device/array_program.hpp"
#include "common/segments/reducer.hpp"

namespace boltzmark::segments {

/// cub: the library as one more variant, the peer.
ProgramOf<Variant> device_program(const device::MakeLibraryCall& cub = {});

}  // namespace boltzmark::segments
