// lbm-tbb: lattice Boltzmann in oneTBB.
#include "common/lbm/cpu/split_sweeps.hpp"
#include "common/lbm/solver.hpp"
#include "tbb/on_arena.hpp"

namespace boltzmark::onetbb {
extern const lbm::Variant textbook, fused;
namespace {

// In place, one step or several in one sweep over tiles of rows. All sweeps are one parallel_for over the slots of the
// arena (common/cpu/split_tiling.hpp): oneTBB does not promise that they run at the same time, so none waits for another.
//
//     parallel_for  slot   its tiles' steps, of each step a row less at either end, and the rows that are left between
//                          two tiles; each as soon as the neighbours' rows are there
const lbm::Variant in_place =
    lbm::in_place_of("one grid, updated in place, all steps in one parallel_for, each slot the same rows",
                     lbm::stored_by<lbm::SplitSolver>(start_workers));
const lbm::Variant split_tiling = lbm::split_tiling_of(
    "in place, several steps in one sweep over tiles of rows, all sweeps in one parallel_for", start_workers);

}  // namespace
}  // namespace boltzmark::onetbb

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace onetbb;
  auto program = in_arena(lbm::workload, {&textbook, &fused, &in_place, &split_tiling});
  // Tiles are bands of rows of all planes; with few rows some threads would have none.
  program.default_variant = [](const lbm::Problem& problem, const Options& asked) -> std::string {
    const lbm::Parameters& p = problem.parameters;
    return p.dimension == 3 && p.ny < arena_of(asked).max_concurrency() ? fused.name : split_tiling.name;
  };
  return run_program(argc, argv, program);
}
