// The lattices as tables: velocities, weights, opposites.
#pragma once

#include "common/lbm/cell.h"
