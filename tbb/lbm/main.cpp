#include "common/lbm/solver.hpp"
#include "tbb/on_arena.hpp"

namespace boltzmark::onetbb {
extern const lbm::Variant textbook, fused, in_place, split_tiling;
}

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
