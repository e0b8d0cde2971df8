// heat-mpi: the heat equation on a plate in strips of rows over ranks.
#include "common/heat/solver.hpp"
#include "common/run/cpu_device.hpp"
#include "mpi/team.hpp"
#include "mpi/workers.hpp"

namespace boltzmark::mpi {
extern const heat::Variant textbook, vectors;  // each in the file of its name
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace mpi;
  return run_ranks_program<heat::Variant>(
      argc, argv,
      {.model = "mpi",
       .summary = "The heat equation on the ranks of an MPI launcher (one rank without)",
       .build = BOLTZMARK_BUILD_INFO,
       .variants = {textbook, vectors},
       .default_variant = "vectors",
       .devices = cpu_devices,
       .device_limits = cpu_limits,
       .warning = crowding});
}
