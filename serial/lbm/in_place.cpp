// In place and wavefront: one grid that every step updates in place (common/lbm/cpu/in_place_grid.hpp). Even steps read
// and write the populations of a cell's neighbours, odd steps those of the cell itself.
//
//   in-place    step 0 of all rows, step 1 of all rows, ...
//   wavefront   step 0 of row y, step 1 of row y-1, step 2 of row y-2, ... then the same for y+1, in three dimensions
//               for planes z (common/lbm/cpu/sweeps.hpp): the rows in progress stay in cache for several steps
#include "common/lbm/cpu/sweeps.hpp"

namespace boltzmark::serial {

extern const lbm::Variant in_place = lbm::in_place_of("one grid, updated in place, one pass per step", one_worker);
extern const lbm::Variant wavefront =
    lbm::wavefront_of("in place, several steps in one sweep over the rows, or planes", one_worker);

}  // namespace boltzmark::serial
