#include "common/lbm/solver.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {
extern const lbm::Variant textbook, fused, in_place, split_tiling;
}

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
