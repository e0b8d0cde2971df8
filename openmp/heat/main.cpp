#include "common/heat/solver.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
extern const heat::Variant textbook, swapped, vectors, wavefront;
}

int main(int argc, char** argv) {
  using namespace boltzmark::openmp;
  return run_on_threads(argc, argv, {textbook, swapped, vectors, wavefront}, "wavefront");
}
