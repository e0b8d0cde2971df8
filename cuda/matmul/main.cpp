// matmul-cuda: matrix multiplication on a device of CUDA, by the published ladder and beyond, and by cuBLAS.
#include "common/matmul/device/program.hpp"
#include "cuda/runtime/api.hpp"
#include "cuda/runtime/nvcc.hpp"

namespace boltzmark::cuda {
extern const matmul::Variant textbook;
extern const matmul::Peer cublas_peer;
}  // namespace boltzmark::cuda

int main(int argc, char** argv) {
  using namespace boltzmark;
  device::use(cuda::api());
  return run_program(
      argc, argv, cuda::with_textbook(matmul::device_program(BOLTZMARK_BUILD_INFO, cuda::cublas_peer), cuda::textbook));
}
