// Textbook: a reduction as a student of CUDA writes it, in two launches of the same kernel:
//
//   many blocks   thread t of T takes     v_t (op) v_(t+T) (op) v_(t+2T) ...
//                 its block folds them    upper half onto the lower, 256 -> 128 -> ... -> 1, in shared memory
//   one block     the same with the results of the blocks
//
// The host defines VALUE, the type, and one of OP_SUM, OP_PRODUCT, OP_MIN, OP_MAX, OP_AND, OP_OR, OP_XOR.
#include "cuda/runtime/kernels/textbook.h"

using Value = VALUE;

/// a (op) b, and the value that changes no other.
#if defined OP_SUM
__device__ Value combined(Value a, Value b) { return a + b; }
constexpr Value neutral = 0;
#elif defined OP_PRODUCT
__device__ Value combined(Value a, Value b) { return a * b; }
constexpr Value neutral = 1;
#elif defined OP_MIN
__device__ Value combined(Value a, Value b) { return b < a ? b : a; }
constexpr Value neutral = std::numeric_limits<Value>::infinity();
#elif defined OP_MAX
__device__ Value combined(Value a, Value b) { return a < b ? b : a; }
constexpr Value neutral = -std::numeric_limits<Value>::infinity();
#elif defined OP_AND
__device__ Value combined(Value a, Value b) { return a & b; }
constexpr Value neutral = ~Value(0);
#elif defined OP_OR
__device__ Value combined(Value a, Value b) { return a | b; }
constexpr Value neutral = 0;
#elif defined OP_XOR
__device__ Value combined(Value a, Value b) { return a ^ b; }
constexpr Value neutral = 0;
#endif

__global__ void reduce(const Value* values, long long count, Value* results) {
  __shared__ Value of_threads[block_size];
  const int me = threadIdx.x;
  Value result = neutral;
  for (long long i = blockIdx.x * blockDim.x + me; i < count; i += gridDim.x * blockDim.x)
    result = combined(result, values[i]);
  of_threads[me] = result;
  for (int half = block_size / 2; half > 0; half /= 2) {
    __syncthreads();
    if (me < half) of_threads[me] = combined(of_threads[me], of_threads[me + half]);
  }
  if (me == 0) results[blockIdx.x] = of_threads[0];
}

// The host's part.

static long long count;
static Value *values, *results;  // results of the blocks, followed by the final one
constexpr unsigned most_blocks = 2048;

extern "C" Failure reduce_run(Value* result) {
  const unsigned blocks = blocks_for(count) < most_blocks ? blocks_for(count) : most_blocks;
  reduce<<<blocks, block_size>>>(values, count, results);
  reduce<<<1, block_size>>>(results, blocks, results + blocks);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, results + blocks, sizeof(Value), cudaMemcpyDeviceToHost));
  return nullptr;
}

extern "C" Failure reduce_create(long long elements) {
  count = elements;
  CHECK(cudaMalloc(&values, count * sizeof(Value)));
  CHECK(cudaMalloc(&results, (most_blocks + 1) * sizeof(Value)));
  return nullptr;
}

/// Elements `first` to `first + elements - 1` of the array.
extern "C" Failure reduce_fill(long long first, long long elements, const Value* with) {
  CHECK(cudaMemcpy(values + first, with, elements * sizeof(Value), cudaMemcpyHostToDevice));
  return nullptr;
}

/// Overwrites the results with values that no run leaves: NaN, or words of ones.
extern "C" Failure reduce_spoil() {
  CHECK(cudaMemset(results, 0xff, (most_blocks + 1) * sizeof(Value)));
  return nullptr;
}

extern "C" void reduce_destroy() {
  cudaFree(values);
  cudaFree(results);
}
