#include "common/binary_fluid/fluid.hpp"
#include "openmp_target/runtime/device.hpp"

namespace boltzmark::openmp_target {
extern const binary_fluid::Variant original;
extern const std::vector<binary_fluid::Variant> layer;
}  // namespace boltzmark::openmp_target

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp_target;
  return run_on_device<binary_fluid::Variant>(argc, argv,
                                              "A binary fluid in OpenMP target regions on an offload device",
                                              BOLTZMARK_BUILD_INFO, variants_of(original, layer));
}
