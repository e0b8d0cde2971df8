// The programs of the workloads that are written once in common/target's layer, on one core.
#include "common/target/layer.hpp"
#include "common/run/cpu_device.hpp"

namespace boltzmark::serial {

int run_layer(int argc, char** argv, const target::LayerEntry& workload, const target::HostRuns& on_host,
              std::initializer_list<const Variant*> own) {
  const auto make = [&](const target::Rung& rung, const Options& asked) { return on_host.make(rung, asked, {}, {}); };
  return run_on_cpu(argc, argv, workload, "serial", "on one core", target::variants(workload, make, {}, own));
}

}  // namespace boltzmark::serial
