// matmul-opencl: matrix multiplication on a device of OpenCL, by the published ladder and beyond, and by CLBlast.
#include "common/matmul/device/program.hpp"
#include "opencl/runtime/api.hpp"

namespace boltzmark::opencl {
extern const matmul::Peer clblast;
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  device::use(opencl::api());
  return run_program(argc, argv, matmul::device_program(opencl::clblast));
}
