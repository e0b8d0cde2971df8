#include "common/matmul/cpu/openblas.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
extern const matmul::Variant textbook, packed;
// The library's threads would start on the processor of the calling thread.
const matmul::Variant openblas =
    matmul::openblas_of("the library OpenBLAS on as many threads (peer)", start_unbound_workers);
}  // namespace boltzmark::openmp

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp;
  return run_on_threads(argc, argv, matmul::workload, {&textbook, &packed, &openblas}, "packed");
}
