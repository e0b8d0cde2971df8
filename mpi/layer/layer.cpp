// The programs of the workloads that are written once in common/target's layer: a share of its sites for each rank, whose
// halos are exchanged (mpi/share.hpp); within a rank the layer's threads and vectors.
#include "mpi/workers.hpp"

#include "common/target/layer.hpp"
#include "mpi/share.hpp"

namespace boltzmark::mpi {

int run_layer(int argc, char** argv, const target::LayerEntry& workload, const target::HostRuns& on_host,
              std::initializer_list<const Variant*> own) {
  const auto make = [&](const target::Rung& rung, const Options& asked) {
    return on_host.make(rung, asked, start_workers(asked), share_of_rank(asked.precision));
  };
  return run_on_cpu_ranks(argc, argv, workload, target::variants(workload, make, {threads_option("1")}, own));
}

}  // namespace boltzmark::mpi
