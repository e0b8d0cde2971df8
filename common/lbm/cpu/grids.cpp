// The grids of the CPU models, without their time steps.
#include "common/lbm/cpu/in_place_grid.hpp"
#include "common/lbm/cpu/strip.hpp"

namespace boltzmark::lbm {

EACH_STORED(EACH_STRIP, )
EACH_STORED(EACH_IN_PLACE_GRID, )

}  // namespace boltzmark::lbm
