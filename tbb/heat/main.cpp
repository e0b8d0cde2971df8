#include "common/heat/solver.hpp"
#include "tbb/on_arena.hpp"

namespace boltzmark::onetbb {
extern const heat::Variant textbook, vectors, split_tiling;
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace onetbb;
  return run_in_arena(argc, argv, heat::workload, {&textbook, &vectors, &split_tiling}, "split-tiling");
}
