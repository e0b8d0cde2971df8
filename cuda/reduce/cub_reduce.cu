// CUB's reduction of an array. The host defines one of OP_SUM, OP_PRODUCT, OP_MIN, OP_MAX, OP_AND, OP_OR, OP_XOR.
#include "cuda/runtime/kernels/cub.h"

#include <cub/device/device_reduce.cuh>

#if defined OP_PRODUCT
#define COMBINED(a, b) ((a) * (b))
#define NEUTRAL 1
#elif defined OP_AND
#define COMBINED(a, b) ((a) & (b))
#define NEUTRAL ~Value(0)
#elif defined OP_OR
#define COMBINED(a, b) ((a) | (b))
#define NEUTRAL 0
#elif defined OP_XOR
#define COMBINED(a, b) ((a) ^ (b))
#define NEUTRAL 0
#endif

#ifdef COMBINED
struct Operator {
  __host__ __device__ Value operator()(Value a, Value b) const { return COMBINED(a, b); }
};
#endif

extern "C" int run(void* scratch, size_t* scratch_bytes, const void* values, void* results, long long count,
                   void* stream) {
  const Value* const in = static_cast<const Value*>(values);
  Value* const out = static_cast<Value*>(results);
  const Count n = static_cast<Count>(count);
  const cudaStream_t on = static_cast<cudaStream_t>(stream);
#if defined OP_SUM
  return cub::DeviceReduce::Sum(scratch, *scratch_bytes, in, out, n, on);
#elif defined OP_MIN
  return cub::DeviceReduce::Min(scratch, *scratch_bytes, in, out, n, on);
#elif defined OP_MAX
  return cub::DeviceReduce::Max(scratch, *scratch_bytes, in, out, n, on);
#else
  return cub::DeviceReduce::Reduce(scratch, *scratch_bytes, in, out, n, Operator(), Value(NEUTRAL), on);
#endif
}
