// segments-opencl: segmented sums on a device of OpenCL.
#include "common/segments/device/program.hpp"
#include "opencl/runtime/api.hpp"

int main(int argc, char** argv) {
  using namespace boltzmark;
  device::use(opencl::api());
  return run_program(argc, argv, segments::device_program(BOLTZMARK_BUILD_INFO));
}
