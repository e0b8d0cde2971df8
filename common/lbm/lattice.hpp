// The lattices as tables: velocities, weights, opposites.
#pragma once

#include "common/lbm/cell.h"

namespace boltzmark::lbm {

/// Default lattice for code written for two dimensions only.
using Lattice = D2Q9;

}  // namespace boltzmark::lbm
