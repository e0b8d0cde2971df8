// matmul-mpi: the product of matrices in blocks over ranks.
#include "common/matmul/multiplier.hpp"
#include "common/run/cpu_device.hpp"
#include "mpi/team.hpp"
#include "mpi/workers.hpp"

namespace boltzmark::mpi {
extern const matmul::Variant textbook, summa;  // each in the file of its name
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace mpi;
  return run_ranks_program<matmul::Variant>(
      argc, argv,
      {.model = "mpi",
       .summary = "Matrix multiplication on the ranks of an MPI launcher (one rank without)",
       .build = BOLTZMARK_BUILD_INFO,
       .variants = {textbook, summa},
       .default_variant = "summa",
       .devices = cpu_devices,
       .device_limits = cpu_limits,
       .warning = crowding});
}
