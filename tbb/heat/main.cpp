#include "common/heat/solver.hpp"
#include "tbb/on_arena.hpp"

namespace boltzmark::onetbb {
extern const heat::Variant textbook, vectors, split_tiling;
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace onetbb;
  return run_program(argc, argv,
                     in_arena<heat::Variant>("The heat equation in oneTBB", BOLTZMARK_BUILD_INFO,
                                             {textbook, vectors, split_tiling}, "split-tiling", Tuned::yes));
}
