// binary-fluid-opencl: a binary fluid on a device of OpenCL.
#include "common/binary_fluid/device/binary_fluid.hpp"
#include "opencl/runtime/api.hpp"

int main(int argc, char** argv) {
  using namespace boltzmark;
  device::use(opencl::api());
  return run_program(argc, argv, binary_fluid::device_program(BOLTZMARK_BUILD_INFO));
}
