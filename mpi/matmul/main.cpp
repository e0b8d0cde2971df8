// matmul-mpi: the product of matrices in blocks over ranks.
#include "common/matmul/multiplier.hpp"
#include "mpi/on_ranks.hpp"

namespace boltzmark::mpi {
extern const matmul::Variant textbook, summa;  // each in the file of its name
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace mpi;
  return run_on_cpu_ranks<matmul::Variant>(argc, argv,
                                           "Matrix multiplication on the ranks of an MPI launcher (one rank without)",
                                           BOLTZMARK_BUILD_INFO, {textbook, summa}, "summa", Tuned::yes);
}
