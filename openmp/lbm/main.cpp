#include "common/lbm/solver.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
extern const lbm::Variant textbook, threads, one_region, fused, in_place, wavefront;
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp;
  return run_on_threads(argc, argv, lbm::workload, {&textbook, &threads, &one_region, &fused, &in_place, &wavefront},
                        "wavefront");
}
