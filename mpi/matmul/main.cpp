// matmul-mpi: the product of matrices in blocks over ranks, each with its processors or its device.
#include "common/matmul/multiplier.hpp"
#include "mpi/device_ranks.hpp"
#include "mpi/workers.hpp"

namespace boltzmark::mpi {
extern const matmul::Variant textbook, summa;  // each in the file of its name
Program device_summa();
}  // namespace boltzmark::mpi

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace mpi;
  return run_on_local(
      argc, argv, "matmul-mpi",
      [] {
        return cpu_ranks(matmul::workload, {&textbook, &summa}, "summa");
      },
      device_summa);
}
