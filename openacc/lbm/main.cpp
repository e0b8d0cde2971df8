#include "common/lbm/solver.hpp"
#include "openacc/device.hpp"

namespace boltzmark::openacc {
extern const lbm::Variant textbook, fused;
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openacc;
  return run_on_device(argc, argv, lbm::workload, {&textbook, &fused});
}
