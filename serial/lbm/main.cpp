#include "common/lbm/solver.hpp"
#include "common/run/cpu_device.hpp"

namespace boltzmark::serial {
extern const lbm::Variant textbook, swap, fused_loops, soa, no_branches, simd, fused, in_place, wavefront;
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace serial;
  return run_on_cpu(argc, argv, lbm::workload, "serial", "on one core",
                    {&textbook, &swap, &fused_loops, &soa, &no_branches, &simd, &fused, &in_place, &wavefront},
                    "wavefront");
}
