#include "openmp_target/layer/layer.hpp"

namespace boltzmark {
namespace binary_fluid {
extern const target::LayerEntry workload;
extern const openmp_target::OffloadRuns offload_f32, offload_f64;
}  // namespace binary_fluid
namespace openmp_target {
extern const Variant original;
}
}  // namespace boltzmark

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace binary_fluid;
  return openmp_target::run_layer(argc, argv, workload, offload_f32, offload_f64, {&openmp_target::original});
}
