// In place in standard algorithms, one step or several in one sweep over tiles of rows. All sweeps are one for_each over
// as many parts as cores (common/cpu/split_tiling.hpp): par lets a part use what others have done, but does not promise
// that two run at the same time, so none waits for another.
//
//     for_each  part   its tiles' steps, of each step a row less at either end, and the rows that are left between two
//                      tiles; each as soon as the neighbours' rows are there
#include "common/lbm/cpu/split_sweeps.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {

extern const lbm::Variant in_place = lbm::in_place_of("one grid, updated in place, all steps in one algorithm",
                                                      lbm::stored_by<lbm::SplitSolver>(start_team));
extern const lbm::Variant split_tiling = lbm::split_tiling_of(
    "in place, several steps in one sweep over tiles of rows, all sweeps in one algorithm", start_team);

}  // namespace boltzmark::stdpar
