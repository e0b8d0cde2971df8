#include "common/heat/solver.hpp"
#include "common/run/cpu_device.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
extern const heat::Variant textbook, swapped, vectors, wavefront;
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp;
  return run_program<heat::Variant>(argc, argv,
                                    {.model = "openmp",
                                     .summary = "The heat equation on the threads of one machine",
                                     .build = BOLTZMARK_BUILD_INFO,
                                     .variants = {textbook, swapped, vectors, wavefront},
                                     .default_variant = "wavefront",
                                     .options = {threads_option("what the runtime says")},
                                     .devices = cpu_devices,
                                     .device_limits = cpu_limits,
                                     .warning = thread_advice});
}
