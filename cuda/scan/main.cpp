// scan-cuda: prefix sums on a device of CUDA, and by CUB.
#include "common/device/array_program.hpp"
#include "common/scan/scanner.hpp"
#include "cuda/runtime/api.hpp"
#include "cuda/runtime/nvcc.hpp"

namespace boltzmark::scan {
Program device_program(const device::MakeLibraryCall& cub);
}
namespace boltzmark::cuda {
extern const std::string_view cub_scan_source;
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  device::use(cuda::api());
  return run_program(argc, argv, scan::device_program(cuda::cub_call(cuda::cub_scan_source)));
}
