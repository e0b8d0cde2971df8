#include "common/lbm/solver.hpp"
#include "common/run/cpu_device.hpp"

namespace boltzmark::stdpar {
extern const lbm::Variant textbook, fused, in_place, split_tiling;
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace stdpar;
  return run_on_cpu<lbm::Variant>(
      argc, argv, "stdpar", "D2Q9 and D3Q19 BGK lattice Boltzmann in the parallel algorithms of standard C++",
      BOLTZMARK_BUILD_INFO, {textbook, fused, in_place, split_tiling}, "split-tiling", Tuned::yes);
}
