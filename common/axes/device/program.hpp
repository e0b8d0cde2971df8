// The program of access patterns on devices.
#pragma once

#include "common/axes/patterns.hpp"

namespace boltzmark::axes {

ProgramOf<Variant> device_program();

}  // namespace boltzmark::axes
