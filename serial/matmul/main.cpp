#include "common/matmul/multiplier.hpp"
#include "common/run/cpu_device.hpp"

namespace boltzmark::serial {
extern const matmul::Variant textbook, ikj, blocked, packed, openblas;
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace serial;
  return run_program<matmul::Variant>(argc, argv,
                                      {.model = "serial",
                                       .summary = "Matrix multiplication on one core",
                                       .build = BOLTZMARK_BUILD_INFO,
                                       .variants = {textbook, ikj, blocked, packed, openblas},
                                       .default_variant = "packed",
                                       .devices = cpu_devices,
                                       .device_limits = cpu_limits});
}
