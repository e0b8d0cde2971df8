#include "common/lbm/device/program.hpp"
#include "opencl/runtime/api.hpp"

namespace boltzmark::opencl {

extern const lbm::Variant textbook;

/// The published ladder, with its steps in order.
Variants ladder();

/// Bands of rows, which a processor's compute units advance by many steps in a launch, each in its own cache. Groups
/// wait for one another, or compute the rows around their bands themselves.
extern const lbm::Variant resident_wavefront, overlapped_wavefront;
/// Those of them that run on this device, the faster one first.
std::vector<std::string> usable_bands(const device::ComputeDevice& device);

}  // namespace boltzmark::opencl

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace lbm;
  device::use(opencl::api());
  Variants variants = opencl::ladder();
  variants.insert(variants.begin(), &opencl::textbook);
  variants.insert(variants.end(), {&published, &two_grid, &in_place, &wavefront, &time_block, &persistent,
                                   &opencl::resident_wavefront, &opencl::overlapped_wavefront});
  return run_program(argc, argv, device_program(variants, opencl::usable_bands));
}
