// axes-opencl: access patterns on a device of OpenCL.
#include "common/axes/device/program.hpp"
#include "opencl/runtime/api.hpp"

int main(int argc, char** argv) {
  using namespace boltzmark;
  device::use(opencl::api());
  return run_program(argc, argv, axes::device_program(BOLTZMARK_BUILD_INFO));
}
