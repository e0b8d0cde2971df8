// Split tiling: several steps in one sweep over tiles of rows. Within a call of an algorithm the tiles are independent,
// so two calls do all steps of a sweep (common/heat/cpu/split_tiles.hpp; TileSweeps of stdpar/on_cores.hpp).
//
//     for_each  tile   the steps of its rows, of each step a row less at either end
//     for_each  gap    the steps of the rows that are left between two tiles
#include "common/heat/cpu/split_tiles.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {

extern const heat::Variant split_tiling = heat::split_tiling_of<TileSweeps>(
    "several steps in one sweep over tiles of rows: one algorithm for the tiles, one for the gaps between them",
    start_workers);

}  // namespace boltzmark::stdpar
