#include "common/lbm/solver.hpp"
#include "common/run/cpu_device.hpp"

namespace boltzmark::serial {
extern const lbm::Variant textbook, swap, fused_loops, soa, no_branches, simd, fused, in_place, wavefront;
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace serial;
  return run_program<lbm::Variant>(
      argc, argv,
      {.model = "serial",
       .summary = "D2Q9 and D3Q19 BGK lattice Boltzmann on one core",
       .build = BOLTZMARK_BUILD_INFO,
       .variants = {textbook, swap, fused_loops, soa, no_branches, simd, fused, in_place, wavefront},
       .default_variant = "wavefront",
       .devices = cpu_devices,
       .device_limits = cpu_limits});
}
