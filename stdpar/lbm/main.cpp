#include "common/lbm/solver.hpp"
#include "common/run/cpu_device.hpp"

namespace boltzmark::stdpar {
extern const lbm::Variant textbook, fused, in_place;
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace stdpar;
  return run_program<lbm::Variant>(
      argc, argv,
      {.model = "stdpar",
       .summary = "D2Q9 and D3Q19 BGK lattice Boltzmann in the parallel algorithms of standard C++",
       .build = BOLTZMARK_BUILD_INFO,
       .variants = {textbook, fused, in_place},
       .default_variant = "in-place",
       .devices = cpu_devices,
       .device_limits = cpu_limits});
}
