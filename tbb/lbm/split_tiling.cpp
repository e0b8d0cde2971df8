// In place, one step or several in one sweep over tiles of rows. All sweeps are one parallel_for over the slots of the
// arena (common/cpu/split_tiling.hpp): oneTBB does not promise that they run at the same time, so none waits for another.
//
//     parallel_for  slot   its tiles' steps, of each step a row less at either end, and the rows that are left between
//                          two tiles; each as soon as the neighbours' rows are there
#include "common/lbm/cpu/split_sweeps.hpp"
#include "tbb/on_arena.hpp"

namespace boltzmark::onetbb {

extern const lbm::Variant in_place =
    lbm::in_place_of("one grid, updated in place, all steps in one parallel_for, each slot the same rows",
                     lbm::stored_by<lbm::SplitSolver>(start_workers));
extern const lbm::Variant split_tiling = lbm::split_tiling_of(
    "in place, several steps in one sweep over tiles of rows, all sweeps in one parallel_for", start_workers);

}  // namespace boltzmark::onetbb
