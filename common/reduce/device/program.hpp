// The program of the reduction on devices.
#pragma once

#include "common/device/array_program.hpp"
#include "common/reduce/reducer.hpp"

namespace boltzmark::reduce {

/// cub: the library as one more variant, the peer.
/// cub: one more variant, where there is one.
Program device_program(const device::MakeLibraryCall& cub);
Program device_program();

}  // namespace boltzmark::reduce
