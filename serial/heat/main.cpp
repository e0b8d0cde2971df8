#include "common/heat/solver.hpp"
#include "common/run/cpu_device.hpp"

namespace boltzmark::serial {
extern const heat::Variant textbook, swapped, vectors, wavefront;
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace serial;
  return run_program<heat::Variant>(argc, argv,
                                    {.model = "serial",
                                     .summary = "The heat equation on one core",
                                     .build = BOLTZMARK_BUILD_INFO,
                                     .variants = {textbook, swapped, vectors, wavefront},
                                     .default_variant = "wavefront",
                                     .devices = cpu_devices,
                                     .device_limits = cpu_limits});
}
