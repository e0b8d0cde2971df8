// binary-fluid-cuda: a binary fluid on a device of CUDA.
#include "common/binary_fluid/device/binary_fluid.hpp"
#include "cuda/runtime/api.hpp"

int main(int argc, char** argv) {
  using namespace boltzmark;
  device::use(cuda::api());
  return run_program(argc, argv, binary_fluid::device_program(BOLTZMARK_BUILD_INFO));
}
