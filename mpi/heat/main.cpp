// heat-mpi: the heat equation on a plate in strips of rows over ranks.
#include "common/heat/solver.hpp"
#include "mpi/on_ranks.hpp"

namespace boltzmark::mpi {
extern const heat::Variant textbook, vectors, deep_halos;  // each in the file of its name
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace mpi;
  return run_on_cpu_ranks<heat::Variant>(
      argc, argv, "The heat equation on the ranks of an MPI launcher (one rank without)", BOLTZMARK_BUILD_INFO,
      {textbook, vectors, deep_halos}, "deep-halos", Tuned::yes);
}
