// Original: the collision of this rank's sites by one thread, as in the code from which targetDP started; it needs no
// data of other ranks.
#include <mpi.h>

#include "common/binary_fluid/original.hpp"
#include "mpi/share.hpp"
#include "mpi/workers.hpp"

namespace boltzmark::mpi {
namespace {

const Variant original = binary_fluid::original_variant([](const Options& asked) {
  return of_precision<target::Run, binary_fluid::OriginalFluid>(asked.precision, start_workers(asked),
                                                                share_of_rank(asked.precision));
});

}  // namespace

target::RunLayer run_layer;  // layer/layer.cpp

}  // namespace boltzmark::mpi

int main(int argc, char** argv) {
  using namespace boltzmark;
  return mpi::run_layer(argc, argv, binary_fluid::workload, binary_fluid::on_host, {&mpi::original});
}
