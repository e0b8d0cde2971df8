#include "common/heat/solver.hpp"
#include "common/run/cpu_device.hpp"

namespace boltzmark::stdpar {
extern const heat::Variant textbook, vectors;
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace stdpar;
  return run_program<heat::Variant>(argc, argv,
                                    {.model = "stdpar",
                                     .summary = "The heat equation in the parallel algorithms of standard C++",
                                     .build = BOLTZMARK_BUILD_INFO,
                                     .variants = {textbook, vectors},
                                     .default_variant = "vectors",
                                     .devices = cpu_devices,
                                     .device_limits = cpu_limits});
}
