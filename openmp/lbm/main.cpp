#include "common/lbm/solver.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
extern const lbm::Variant textbook, threads, one_region, fused, in_place, wavefront;
}

int main(int argc, char** argv) {
  using namespace boltzmark::openmp;
  omp_set_dynamic(0);  // rows belong to threads, so their number must not change during a run
  return run_on_threads(argc, argv, {textbook, threads, one_region, fused, in_place, wavefront}, "wavefront");
}
