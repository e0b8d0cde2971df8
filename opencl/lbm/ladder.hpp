// The published ladder.
#pragma once

#include <vector>

#include "common/lbm/solver.hpp"

namespace boltzmark::opencl {

/// Its steps in their order.
std::vector<lbm::Variant> ladder();

}  // namespace boltzmark::opencl
