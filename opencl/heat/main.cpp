// heat-opencl: the heat equation on a device of OpenCL.
#include "common/heat/device/program.hpp"
#include "opencl/runtime/api.hpp"

int main(int argc, char** argv) {
  using namespace boltzmark;
  device::use(opencl::api());
  return run_program(argc, argv, heat::device_program(BOLTZMARK_BUILD_INFO));
}
