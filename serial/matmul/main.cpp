#include "common/matmul/multiplier.hpp"
#include "common/run/cpu_device.hpp"

namespace boltzmark::serial {
extern const matmul::Variant textbook, ikj, blocked, packed, openblas;
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace serial;
  return run_on_cpu(argc, argv, matmul::workload, "serial", "on one core",
                    {&textbook, &ikj, &blocked, &packed, &openblas}, "packed");
}
