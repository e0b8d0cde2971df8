// matmul-mpi: the product of matrices in blocks over ranks, each with its processors or its device.
#include "common/matmul/multiplier.hpp"
#include "mpi/device_ranks.hpp"
#include "mpi/on_ranks.hpp"

namespace boltzmark::mpi {
extern const matmul::Variant textbook, summa;  // each in the file of its name
ProgramOf<matmul::Variant> device_summa();
}  // namespace boltzmark::mpi

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace mpi;
  constexpr const char* summary = "Matrix multiplication on the ranks of an MPI launcher (one rank without)";
  return run_on_local<matmul::Variant>(
      argc, argv, "matmul-mpi", summary, BOLTZMARK_BUILD_INFO,
      [] {
        return cpu_ranks<matmul::Variant>(summary, {}, {textbook, summa}, "summa", Tuned::yes);
      },
      device_summa);
}
