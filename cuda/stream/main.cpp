// stream-cuda: STREAM on a device of CUDA.
#include "common/stream/kernels.hpp"
#include "cuda/runtime/api.hpp"
#include "cuda/runtime/nvcc.hpp"

namespace boltzmark::cuda {
extern const stream::Variant textbook;
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  device::use(cuda::api());
  return run_program(argc, argv, cuda::with_textbook(stream::device_program(), cuda::textbook));
}
