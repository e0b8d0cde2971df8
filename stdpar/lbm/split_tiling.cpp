// Split tiling in standard algorithms: in place, several steps in one sweep over tiles of rows. Within a call of an
// algorithm the tiles are independent, so two calls do all steps of a sweep (common/lbm/cpu/split_sweeps.hpp;
// TileSweeps of stdpar/on_cores.hpp).
//
//     for_each  tile   the steps of its rows, of each step a row less at either end
//     for_each  gap    the steps of the rows that are left between two tiles
#include "common/lbm/cpu/split_sweeps.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {

extern const lbm::Variant split_tiling = lbm::split_tiling_of<TileSweeps>(
    "in place, several steps in one sweep over tiles of rows, an algorithm each for tiles and gaps", start_workers);

}  // namespace boltzmark::stdpar
