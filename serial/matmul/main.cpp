#include "common/matmul/cpu/openblas.hpp"
#include "common/run/cpu_device.hpp"

namespace boltzmark::serial {
extern const matmul::Variant textbook, ikj, blocked, packed;
const matmul::Variant openblas = matmul::openblas_of("the library OpenBLAS on one thread (peer)", one_worker);
}  // namespace boltzmark::serial

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace serial;
  return run_on_cpu(argc, argv, matmul::workload, "serial", "on one core",
                    {&textbook, &ikj, &blocked, &packed, &openblas}, "packed");
}
