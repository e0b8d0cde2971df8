// stream-opencl: STREAM on a device of OpenCL.
#include "common/stream/device/stream.hpp"
#include "opencl/runtime/api.hpp"

int main(int argc, char** argv) {
  using namespace boltzmark;
  device::use(opencl::api());
  return run_program(argc, argv, stream::device_program(BOLTZMARK_BUILD_INFO));
}
