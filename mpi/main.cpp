#include <mpi.h>

#include "common/cpu_device.hpp"
#include "mpi/models.hpp"
#include "mpi/team.hpp"

using namespace boltzmark;

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const Backend backend = {
      .name = "mpi",
      .summary = "D2Q9-BGK lattice Boltzmann on the ranks of an MPI launcher (one rank without)",
      .build = BOLTZMARK_BUILD_INFO,
      .variants = {{"fused",
                    "structure of arrays, two grids, one vectorised pass a step, strips of rows over ranks",
                    {Precision::f32, Precision::f64}}},
      .default_variant = [](const Problem&, const Options&) { return "fused"; },
      .devices = cpu_devices,
      .make = [](const Options& options) { return mpi::make_fused(options.precision); },
      .make_stream = [](const Options& options) { return mpi::make_stream(options.precision); },
  };
  mpi::MpiTeam team;
  const int status = run_main(argc, argv, backend, team);
  MPI_Finalize();
  return status;
}
