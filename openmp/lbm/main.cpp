#include "common/lbm/solver.hpp"
#include "common/run/cpu_device.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
extern const lbm::Variant textbook, threads, one_region, fused, in_place, wavefront;
}

int main(int argc, char** argv) {
  omp_set_dynamic(0);  // rows belong to threads, so their number must not change during a run
  using namespace boltzmark;
  using namespace openmp;
  return run_program<lbm::Variant>(argc, argv,
                                   {.model = "openmp",
                                    .summary = "D2Q9 and D3Q19 BGK lattice Boltzmann on the threads of one machine",
                                    .build = BOLTZMARK_BUILD_INFO,
                                    .variants = {textbook, threads, one_region, fused, in_place, wavefront},
                                    .default_variant = "wavefront",
                                    .options = {threads_option("what the runtime says")},
                                    .devices = cpu_devices,
                                    .device_limits = cpu_limits,
                                    .warning = thread_advice});
}
