// Split tiling: several steps in one sweep over tiles of rows. Within a call the tiles are independent, so two calls do
// all steps of a sweep (common/heat/cpu/split_tiles.hpp; TileSweeps of tbb/on_arena.hpp).
//
//     parallel_for  tile   the steps of its rows, of each step a row less at either end
//     parallel_for  gap    the steps of the rows that are left between two tiles
#include "common/heat/cpu/split_tiles.hpp"
#include "tbb/on_arena.hpp"

namespace boltzmark::onetbb {

extern const heat::Variant split_tiling = heat::split_tiling_of<TileSweeps>(
    "several steps in one sweep over tiles of rows: one parallel_for for the tiles, one for the gaps, by affinity",
    start_workers);

}  // namespace boltzmark::onetbb
