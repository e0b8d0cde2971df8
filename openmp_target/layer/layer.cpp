// The programs of the workloads that are written once in common/target's layer, in target regions of OpenMP.
#include "openmp_target/layer/layer.hpp"

#include "common/target/layer.hpp"
#include "openmp_target/runtime/device.hpp"

namespace boltzmark::openmp_target {

int run_layer(int argc, char** argv, const target::LayerEntry& workload, const OffloadRuns& f32, const OffloadRuns& f64,
              std::initializer_list<const Variant*> own) {
  const auto make = [&](const target::Rung& rung, const Options& asked) {
    return (asked.precision == Precision::f64 ? f64 : f32).make(rung, asked);
  };
  return run_on_device(argc, argv, workload, target::variants(workload, make, {target::order_option()}, own),
                       usual_by_device(workload.usual_variant(true), workload.usual_variant(false)));
}

}  // namespace boltzmark::openmp_target
