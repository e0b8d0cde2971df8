// The calls of CUDA that fake_cuda.cpp lacks: they fail. Those that it has come before these.
#include "cuda/runtime/driver.hpp"

#pragma GCC diagnostic ignored "-Wunused-parameter"

using namespace boltzmark::cuda;

#define MISSING(name, ...) \
  __attribute__((weak)) int name(__VA_ARGS__) { return 801; }

extern "C" {
BOLTZMARK_CUDA_FUNCTIONS(MISSING)
BOLTZMARK_NVRTC_FUNCTIONS(MISSING)
}
