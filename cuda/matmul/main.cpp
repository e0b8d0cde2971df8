// matmul-cuda: matrix multiplication on a device of CUDA, by the published ladder and beyond, and by cuBLAS.
#include "common/matmul/device/device_multiplier.hpp"
#include "cuda/runtime/api.hpp"
#include "cuda/runtime/nvcc.hpp"

namespace boltzmark::cuda {
extern const matmul::Variant textbook;
extern const matmul::Peer cublas_peer;
}  // namespace boltzmark::cuda

int main(int argc, char** argv) {
  using namespace boltzmark;
  device::use(cuda::api());
  auto program = matmul::device_program(cuda::cublas_peer);
  program.variants.push_back(matmul::warp_groups_variant());
  return run_program(argc, argv, cuda::with_textbook(std::move(program), cuda::textbook));
}
