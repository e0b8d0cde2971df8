#include "common/lbm/device/program.hpp"
#include "cuda/runtime/api.hpp"

namespace boltzmark::cuda {
extern const lbm::Variant textbook;
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace lbm;
  device::use(cuda::api());
  return run_program(argc, argv,
                     device_program({&cuda::textbook, &published, recorded(two_grid), recorded(in_place),
                                     recorded(time_block), &persistent}));
}
