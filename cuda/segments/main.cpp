// segments-cuda: segmented sums on a device of CUDA, and by CUB.
#include "common/device/array_program.hpp"
#include "common/segments/reducer.hpp"
#include "cuda/runtime/api.hpp"
#include "cuda/runtime/nvcc.hpp"

namespace boltzmark::segments {
Program device_program(const device::MakeLibraryCall& cub);
}
namespace boltzmark::cuda {
extern const std::string_view cub_segments_source;
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  device::use(cuda::api());
  return run_program(argc, argv, segments::device_program(cuda::cub_call(cuda::cub_segments_source)));
}
