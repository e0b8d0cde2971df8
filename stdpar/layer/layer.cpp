// The programs of the workloads that are written once in common/target's layer, on the threads of the standard
// library's algorithms: std::for_each over indices, one for each part of the sites.
#include "common/target/layer.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {

int run_layer(int argc, char** argv, const target::LayerEntry& workload, const target::HostRuns& on_host,
              std::initializer_list<const Variant*> own) {
  const auto make = [&](const target::Rung& rung, const Options& asked) {
    return on_host.make(rung, asked, workers_of(usable_cores()), {});
  };
  return run_program(argc, argv, on_cores(workload, target::variants(workload, make, {}, own)));
}

}  // namespace boltzmark::stdpar
