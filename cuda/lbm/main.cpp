#include "common/lbm/device/options.hpp"
#include "common/lbm/device/program.hpp"
#include "cuda/runtime/api.hpp"

namespace boltzmark::cuda {
extern const lbm::Variant textbook;
}

namespace {

/// Launches of CUDA can be recorded, many as one graph.
boltzmark::lbm::Variant recorded(boltzmark::lbm::Variant variant) {
  variant.options.push_back(boltzmark::lbm::launches_option());
  return variant;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace lbm;
  device::use(cuda::api());
  return run_program(argc, argv,
                     device_program({cuda::textbook, published, recorded(two_grid), recorded(in_place),
                                     recorded(time_block), persistent}));
}
