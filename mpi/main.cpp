#include <mpi.h>

#include "common/cpu_device.hpp"
#include "mpi/models.hpp"
#include "mpi/team.hpp"

using namespace boltzmark;

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const std::vector<Precision> both = {Precision::f32, Precision::f64};
  const Backend backend = {
      .name = "mpi",
      .summary = "D2Q9-BGK lattice Boltzmann on the ranks of an MPI launcher (one rank without)",
      .build = BOLTZMARK_BUILD_INFO,
      .variants = {{"fused",
                    "structure of arrays, two grids, one vectorised pass a step, strips of rows over ranks",
                    both},
                   {.name = "in-place",
                    .summary = "one grid, updated where it lies, one pass a step, strips of rows over ranks",
                    .precisions = both,
                    .takes_vvl = true},
                   {.name = "wavefront",
                    .summary = "in place, several steps in one sweep between exchanges of as many halo rows",
                    .precisions = both,
                    .takes_vvl = true,
                    .takes_time_block = true,
                    .time_blocks = {1, 2, 4, 8, 16, 32, 64}}},
      .default_variant = [](const Problem&, const Options&) { return "wavefront"; },
      .devices = cpu_devices,
      .make =
          [](const Options& options) {
            if (options.variant == "fused") return mpi::make_fused(options.precision);
            return mpi::make_in_place(options.precision, options.vvl,
                                      options.variant == "in-place" ? 1 : options.time_block);
          },
      .make_stream = [](const Options& options) { return mpi::make_stream(options.precision); },
  };
  mpi::MpiTeam team;
  const int status = run_main(argc, argv, backend, team);
  MPI_Finalize();
  return status;
}
