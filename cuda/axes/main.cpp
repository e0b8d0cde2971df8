// axes-cuda: access patterns on a device of CUDA.
#include "common/axes/device/program.hpp"
#include "cuda/runtime/api.hpp"

int main(int argc, char** argv) {
  using namespace boltzmark;
  device::use(cuda::api());
  return run_program(argc, argv, axes::device_program(BOLTZMARK_BUILD_INFO));
}
