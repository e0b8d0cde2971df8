#include "common/heat/solver.hpp"
#include "openmp_target/runtime/device.hpp"

namespace boltzmark::openmp_target {
extern const heat::Variant textbook, swapped, strip, time_block, split_tiling;  // each in the file of its name
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp_target;
  return run_on_device(argc, argv, heat::workload, {&textbook, &swapped, &strip, &time_block, &split_tiling},
                       usual_by_device("time-block", "split-tiling"));
}
