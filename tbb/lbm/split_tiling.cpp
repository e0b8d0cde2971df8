// In place, one step or several in one sweep over tiles of rows. Within a call the tiles are independent, so two calls
// do all steps of a sweep (common/lbm/cpu/split_sweeps.hpp; TileSweeps of tbb/on_arena.hpp).
//
//     parallel_for  tile   the steps of its rows, of each step a row less at either end
//     parallel_for  gap    the steps of the rows that are left between two tiles
#include "common/lbm/cpu/split_sweeps.hpp"
#include "tbb/on_arena.hpp"

namespace boltzmark::onetbb {

extern const lbm::Variant in_place = lbm::in_place_of<TileSweeps>(
    "one grid, updated in place, one parallel_for over tiles of rows per step", start_workers);
extern const lbm::Variant split_tiling = lbm::split_tiling_of<TileSweeps>(
    "in place, several steps in one sweep over tiles of rows, a parallel_for each for tiles and gaps", start_workers);

}  // namespace boltzmark::onetbb
