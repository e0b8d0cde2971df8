// The program of the heat equation on devices.
#pragma once

#include "common/heat/solver.hpp"

namespace boltzmark::heat {

ProgramOf<Variant> device_program(const BuildInfo& build);

}  // namespace boltzmark::heat
