#include "common/heat/solver.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {
extern const heat::Variant textbook, vectors, split_tiling;
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace stdpar;
  return run_on_cores(argc, argv, heat::workload, {&textbook, &vectors, &split_tiling}, "split-tiling");
}
