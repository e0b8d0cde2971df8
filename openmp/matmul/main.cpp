#include "common/matmul/multiplier.hpp"
#include "common/run/cpu_device.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
extern const matmul::Variant textbook, packed, openblas;
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp;
  return run_program<matmul::Variant>(argc, argv,
                                      {.model = "openmp",
                                       .summary = "Matrix multiplication on the threads of one machine",
                                       .build = BOLTZMARK_BUILD_INFO,
                                       .variants = {textbook, packed, openblas},
                                       .default_variant = "packed",
                                       .options = {threads_option("what the runtime says")},
                                       .devices = cpu_devices,
                                       .device_limits = cpu_limits,
                                       .warning = thread_advice});
}
