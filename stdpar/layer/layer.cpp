// The programs of the workloads that are written once in common/target's layer, on the threads of the standard library's
// algorithms: an index for each part of the sites, and std::for_each over them.
#include "common/target/layer.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {

int run_layer(int argc, char** argv, const target::LayerEntry& workload, const target::HostRuns& on_host,
              std::initializer_list<const Variant*> own) {
  const auto make = [&](const target::Rung& rung, const Options& asked) {
    target::Workers workers;
    workers.count = usable_cores();
    workers.run = [parts = workers.count](const std::function<void(int me)>& work) {
      std::for_each(std::execution::par, counting(0), counting(parts),
                    [&](std::int64_t part) { work(static_cast<int>(part)); });
    };
    target::Share everything;
    everything.driver = library_name();
    return on_host.make(rung, asked, workers, everything);
  };
  return run_program(argc, argv, on_cores(workload, target::variants(workload, make, {}, own)));
}

}  // namespace boltzmark::stdpar
