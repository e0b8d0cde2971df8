// heat-cuda: the heat equation on a device of CUDA.
#include "common/heat/device/program.hpp"
#include "cuda/runtime/api.hpp"
#include "cuda/runtime/nvcc.hpp"

namespace boltzmark::cuda {
extern const heat::Variant textbook;
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  device::use(cuda::api());
  return run_program(argc, argv, cuda::with_textbook(heat::device_program(), cuda::textbook));
}
