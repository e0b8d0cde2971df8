// The program of access patterns on devices.
#pragma once

#include "common/axes/patterns.hpp"

namespace boltzmark::axes {

Program device_program();

}  // namespace boltzmark::axes
