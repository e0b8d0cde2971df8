// The programs of the workloads that are written once in common/target's layer, on threads: the kernels for the sites
// of a thread are in common/<workload>, and the threads are here. target::HostTarget calls workers.run() for every
// launch.
#include "common/target/layer.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {

int run_layer(int argc, char** argv, const target::LayerEntry& workload, const target::HostRuns& on_host,
              std::initializer_list<const Variant*> own) {
  const auto make = [&](const target::Rung& rung, const Options& asked) {
    return on_host.make(rung, asked, start_workers(asked), {});
  };
  return run_program(argc, argv, threads_program(workload, target::variants(workload, make, {}, own)));
}

}  // namespace boltzmark::openmp
