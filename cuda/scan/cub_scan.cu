// CUB's prefix sum.
#include "cuda/runtime/kernels/cub.h"

#include <cub/device/device_scan.cuh>

extern "C" int run(void* scratch, size_t* scratch_bytes, const void* values, void* results, long long count,
                   void* stream) {
  return cub::DeviceScan::InclusiveSum(scratch, *scratch_bytes, static_cast<const Value*>(values),
                                       static_cast<Value*>(results), static_cast<Count>(count),
                                       static_cast<cudaStream_t>(stream));
}
