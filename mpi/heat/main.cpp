// heat-mpi: the heat equation on a plate in strips of rows over ranks, each on its processors or its device.
#include "common/heat/solver.hpp"
#include "mpi/device_ranks.hpp"
#include "mpi/workers.hpp"

namespace boltzmark::mpi {
extern const heat::Variant textbook, vectors, deep_halos;  // each in the file of its name
Program device_strips();
}  // namespace boltzmark::mpi

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace mpi;
  return run_on_local(
      argc, argv, "heat-mpi",
      [] {
        return cpu_ranks(heat::workload, {&textbook, &vectors, &deep_halos}, "deep-halos");
      },
      device_strips);
}
