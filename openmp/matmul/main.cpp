#include "common/matmul/multiplier.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
extern const matmul::Variant textbook, packed, openblas;
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp;
  return run_on_threads<matmul::Variant>(argc, argv, "Matrix multiplication on the threads of one machine",
                                         BOLTZMARK_BUILD_INFO, {textbook, packed, openblas}, "packed", Tuned::yes);
}
