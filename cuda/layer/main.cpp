// The program of each workload that is written once in common/target's layer, on a device of CUDA.
#include "cuda/runtime/api.hpp"

#include "common/target/layer.hpp"

int main(int argc, char** argv) {
  using namespace boltzmark;
  device::use(cuda::api());
  return run_program(argc, argv, target::device_program(BOLTZMARK_BUILD_INFO));
}
