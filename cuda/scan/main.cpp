// scan-cuda: prefix sums on a device of CUDA, and by CUB.
#include "common/scan/device/program.hpp"
#include "cuda/runtime/api.hpp"
#include "cuda/runtime/nvcc.hpp"

namespace boltzmark::cuda {
extern const std::string_view cub_scan_source;
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  device::use(cuda::api());
  return run_program(argc, argv, scan::device_program(cuda::cub_call(cuda::cub_scan_source)));
}
