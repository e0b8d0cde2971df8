#include "common/reduce/reducer.hpp"
#include "openmp_target/runtime/device.hpp"

namespace boltzmark::openmp_target {
extern const reduce::Variant textbook, vectors, one_team;  // each in the file of its name
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp_target;
  return run_on_device(argc, argv, reduce::workload, {&textbook, &vectors, &one_team}, "vectors");
}
