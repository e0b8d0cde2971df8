#include "common/matmul/multiplier.hpp"
#include "common/run/cpu_device.hpp"

namespace boltzmark::stdpar {
extern const matmul::Variant textbook, packed;
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace stdpar;
  return run_program<matmul::Variant>(argc, argv,
                                      {.model = "stdpar",
                                       .summary = "Matrix multiplication in the parallel algorithms of standard C++",
                                       .build = BOLTZMARK_BUILD_INFO,
                                       .variants = {textbook, packed},
                                       .default_variant = "packed",
                                       .devices = cpu_devices,
                                       .device_limits = cpu_limits});
}
