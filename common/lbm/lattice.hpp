// The lattices as tables: velocities, weights, opposites.
#pragma once

#include "common/lbm/cell.h"

namespace boltzmark::lbm {

/// The lattice of code that knows no other yet.
using Lattice = D2Q9;

}  // namespace boltzmark::lbm
