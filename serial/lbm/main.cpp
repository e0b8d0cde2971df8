// lbm-serial: lattice Boltzmann on one core.
#include "common/lbm/cpu/sweeps.hpp"
#include "common/lbm/solver.hpp"
#include "common/run/cpu_device.hpp"

namespace boltzmark::serial {
extern const lbm::Variant textbook, swap, fused_loops, soa, no_branches, simd, fused;
namespace {

// In place and wavefront: one grid that every step updates in place (common/lbm/cpu/in_place_grid.hpp). Even steps read
// and write the populations of a cell's neighbours, odd steps those of the cell itself.
//
//   in-place    step 0 of all rows, step 1 of all rows, ...
//   wavefront   step 0 of row y, step 1 of row y-1, step 2 of row y-2, ... then the same for y+1, in three dimensions
//               for planes z (common/lbm/cpu/sweeps.hpp): the rows in progress stay in cache for several steps
const lbm::Variant in_place = lbm::in_place_of("one grid, updated in place, one pass per step", one_worker);
const lbm::Variant wavefront =
    lbm::wavefront_of("in place, several steps in one sweep over the rows, or planes", one_worker);

}  // namespace
}  // namespace boltzmark::serial

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace serial;
  return run_on_cpu(argc, argv, lbm::workload, "serial", "on one core",
                    {&textbook, &swap, &fused_loops, &soa, &no_branches, &simd, &fused, &in_place, &wavefront},
                    "wavefront");
}
