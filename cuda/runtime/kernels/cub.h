// Shared by all sources with a CUB algorithm (cuda/runtime/nvcc.hpp describes the calls). The host defines
// BOLTZMARK_VALUE, the type of the values, and BOLTZMARK_COUNT, an integer that holds their number: CUB has code for
// each width of it.
#include <cuda_runtime_api.h>
#include <cub/version.cuh>

using Value = BOLTZMARK_VALUE;
using Count = BOLTZMARK_COUNT;

extern "C" const char* name_of(int status) { return cudaGetErrorName(static_cast<cudaError_t>(status)); }
extern "C" int version() { return CUB_VERSION; }
