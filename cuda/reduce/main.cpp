// reduce-cuda: the reduction of an array on a device of CUDA, and by CUB.
#include "common/device/array_program.hpp"
#include "common/reduce/reducer.hpp"
#include "cuda/runtime/api.hpp"
#include "cuda/runtime/nvcc.hpp"

namespace boltzmark::reduce {
Program device_program(const device::MakeLibraryCall& cub);
}
namespace boltzmark::cuda {
extern const reduce::Variant textbook;
extern const std::string_view cub_reduce_source;
}  // namespace boltzmark::cuda

int main(int argc, char** argv) {
  using namespace boltzmark;
  device::use(cuda::api());
  return run_program(
      argc, argv, cuda::with_textbook(reduce::device_program(cuda::cub_call(cuda::cub_reduce_source)), cuda::textbook));
}
