// Split tiling: several steps in one sweep over tiles of rows. All sweeps are one for_each over as many parts as cores
// (common/cpu/split_tiling.hpp), of which none waits for another.
//
//     for_each  part   its tiles' steps, of each step a row less at either end, and the rows that are left between two
//                      tiles; each as soon as the neighbours' rows are there
#include "common/heat/cpu/split_tiles.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {

extern const heat::Variant split_tiling =
    heat::split_tiling_of("several steps in one sweep over tiles of rows, all sweeps in one algorithm", start_team);

}  // namespace boltzmark::stdpar
