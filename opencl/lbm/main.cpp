#include "common/lbm/device/program.hpp"
#include "opencl/lbm/variants.hpp"
#include "opencl/runtime/api.hpp"

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace lbm;
  device::use(opencl::api());
  std::vector<Variant> variants = opencl::ladder();
  variants.insert(variants.begin(), opencl::textbook);
  variants.insert(variants.end(), {published, two_grid, in_place, wavefront, time_block, persistent,
                                   opencl::resident_wavefront, opencl::overlapped_wavefront});
  return run_program(argc, argv, device_program(BOLTZMARK_BUILD_INFO, variants, opencl::usable_bands));
}
