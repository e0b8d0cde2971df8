#include "common/heat/solver.hpp"
#include "common/run/cpu_device.hpp"

namespace boltzmark::stdpar {
extern const heat::Variant textbook, vectors, split_tiling;
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace stdpar;
  return run_on_cpu<heat::Variant>(argc, argv, "stdpar", "The heat equation in the parallel algorithms of standard C++",
                                   BOLTZMARK_BUILD_INFO, {textbook, vectors, split_tiling}, "split-tiling", Tuned::yes);
}
