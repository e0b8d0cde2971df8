// lbm-openmp: lattice Boltzmann on the threads of one machine.
#include "common/lbm/cpu/sweeps.hpp"
#include "common/lbm/solver.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
extern const lbm::Variant textbook, threads, one_region, fused;
namespace {

// In place and wavefront over threads: one grid, updated in place (common/lbm/cpu/in_place_grid.hpp), whose rows are
// divided among the threads.
//
//   thread 1   rows b .. c-1    step 0 of row b, b+1, ...; step 1 one row behind, step 2 two rows behind, ...
//   thread 0   rows a .. b-1    the same
//
// The last rows of a thread's later steps border on rows that the next thread did first, so it never waits for long
// (common/cpu/wavefront.hpp). In three dimensions each thread has its rows y of every plane, and all threads advance
// through the planes together (common/lbm/cpu/plane_wavefront.hpp). No barrier: a row waits for its neighbours only.
// In-place is a depth of one step. All steps are one parallel region (SweepsSolver of common/lbm/cpu/sweeps.hpp).
const lbm::Variant in_place =
    lbm::in_place_of("one grid, updated in place, one pass per step, rows divided over threads", start_workers);
const lbm::Variant wavefront =
    lbm::wavefront_of("in place, several steps in one sweep over a thread's rows", start_workers);

}  // namespace
}  // namespace boltzmark::openmp

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp;
  return run_on_threads(argc, argv, lbm::workload, {&textbook, &threads, &one_region, &fused, &in_place, &wavefront},
                        "wavefront");
}
