#include "common/axes/patterns.hpp"
#include "openmp_target/runtime/device.hpp"

namespace boltzmark::openmp_target {
extern const axes::Variant textbook, vectors;  // each in the file of its name
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp_target;
  return run_on_device(argc, argv, axes::workload, {&textbook, &vectors}, "vectors");
}
