// reduce-opencl: the reduction of an array on a device of OpenCL.
#include "common/reduce/device/program.hpp"
#include "opencl/runtime/api.hpp"

int main(int argc, char** argv) {
  using namespace boltzmark;
  device::use(opencl::api());
  return run_program(argc, argv, reduce::device_program(BOLTZMARK_BUILD_INFO));
}
