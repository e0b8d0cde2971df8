// Original: the collision of this rank's sites by one thread, as the code that targetDP began from has it; it needs
// nothing of other ranks.
#include <mpi.h>

#include "common/binary_fluid/original.hpp"
#include "mpi/share.hpp"

std::vector<boltzmark::target::Variant> boltzmark::target::own_variants() {
  return {binary_fluid::original_variant([](const Options& asked) {
    return of_precision<Run, binary_fluid::OriginalFluid>(asked.precision, mpi::share_of_rank(asked.precision));
  })};
}
