#include "common/matmul/multiplier.hpp"
#include "openmp_target/runtime/device.hpp"

namespace boltzmark::openmp_target {
extern const matmul::Variant textbook, tiled, blocked, packed;  // each in the file of its name
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp_target;
  return run_on_device(argc, argv, matmul::workload, {&textbook, &tiled, &blocked, &packed},
                       usual_by_device("blocked", "packed"));
}
