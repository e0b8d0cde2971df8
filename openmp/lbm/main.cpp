#include "common/lbm/solver.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
extern const lbm::Variant textbook, threads, one_region, fused, in_place, wavefront;
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp;
  omp_set_dynamic(0);  // rows belong to threads, so their number must not change during a run
  return run_on_threads<lbm::Variant>(argc, argv, "D2Q9 and D3Q19 BGK lattice Boltzmann on the threads of one machine",
                                      BOLTZMARK_BUILD_INFO, {textbook, threads, one_region, fused, in_place, wavefront},
                                      "wavefront", Tuned::yes);
}
