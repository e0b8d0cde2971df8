// lbm-stdpar: lattice Boltzmann in the parallel algorithms of standard C++.
#include "common/lbm/cpu/split_sweeps.hpp"
#include "common/lbm/solver.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {
extern const lbm::Variant textbook, fused;
namespace {

// In place in standard algorithms, one step or several in one sweep over tiles of rows. All sweeps are one for_each over
// as many parts as cores (common/cpu/split_tiling.hpp): par lets a part use what others have done, but does not promise
// that two run at the same time, so none waits for another.
//
//     for_each  part   its tiles' steps, of each step a row less at either end, and the rows that are left between two
//                      tiles; each as soon as the neighbours' rows are there
const lbm::Variant in_place = lbm::in_place_of("one grid, updated in place, all steps in one algorithm",
                                               lbm::stored_by<lbm::SplitSolver>(start_team));
const lbm::Variant split_tiling = lbm::split_tiling_of(
    "in place, several steps in one sweep over tiles of rows, all sweeps in one algorithm", start_team);

}  // namespace
}  // namespace boltzmark::stdpar

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace stdpar;
  auto program = on_cores(lbm::workload, {&textbook, &fused, &in_place, &split_tiling});
  // Tiles are bands of rows of all planes; with few rows some cores would have none.
  program.default_variant = [](const lbm::Problem& problem, const Options&) -> std::string {
    const lbm::Parameters& p = problem.parameters;
    return p.dimension == 3 && p.ny < usable_cores() ? fused.name : split_tiling.name;
  };
  return run_program(argc, argv, program);
}
