// The program of access patterns on devices.
#pragma once

#include "common/axes/patterns.hpp"

namespace boltzmark::axes {

ProgramOf<Variant> device_program(const BuildInfo& build);

}  // namespace boltzmark::axes
