// Split tiling: several steps in one sweep over tiles of rows. All sweeps are one parallel_for over the slots of the
// arena (common/cpu/split_tiling.hpp), of which none waits for another.
//
//     parallel_for  slot   its tiles' steps, of each step a row less at either end, and the rows that are left between
//                          two tiles; each as soon as the neighbours' rows are there
#include "common/heat/cpu/split_tiles.hpp"
#include "tbb/on_arena.hpp"

namespace boltzmark::onetbb {

extern const heat::Variant split_tiling = heat::split_tiling_of(
    "several steps in one sweep over tiles of rows, all sweeps in one parallel_for, each slot the same rows",
    start_workers);

}  // namespace boltzmark::onetbb
