// Shared by the textbooks of CUDA: the result of a failed call, the choice of the device, and sums. nvcc makes a
// textbook into a library when it first runs; the host calls its extern "C" functions, each of which returns nullptr,
// or a text that describes the failure (cuda/runtime/nvcc.hpp). The host defines REAL.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <limits>
#include <utility>

using Failure = const char*;

inline Failure failure_of(const char* call, cudaError_t status) {
  static char text[256];
  std::snprintf(text, sizeof text, "%s: %s", call, cudaGetErrorString(status));
  return text;
}

/// Returns from the enclosing function if a call of CUDA fails.
#define CHECK(call) \
  if (const cudaError_t status = (call); status != cudaSuccess) return failure_of(#call, status)

/// Selects this device, "0000:17:00.0", for all later calls.
extern "C" Failure use_device(const char* pci_address) {
  int number = 0;
  CHECK(cudaDeviceGetByPCIBusId(&number, pci_address));
  CHECK(cudaSetDevice(number));
  return nullptr;
}

constexpr int block_size = 256;  // threads

/// Blocks that cover `count` threads.
constexpr unsigned blocks_for(long long count, int of = block_size) { return unsigned((count + of - 1) / of); }

/// The sum of `value` over the threads of a block, by a tree in shared memory; for its first thread.
__device__ inline double block_sum(double value) {
  __shared__ double sums[block_size];
  const int me = threadIdx.x + blockDim.x * threadIdx.y;
  sums[me] = value;
  for (int half = block_size / 2; half > 0; half /= 2) {
    __syncthreads();
    if (me < half) sums[me] += sums[me + half];
  }
  return sums[0];
}

/// Adds up the sums of blocks; run as one block.
__global__ void add_up(const double* sums, long long count, double* total) {
  double sum = 0;
  for (long long i = threadIdx.x; i < count; i += blockDim.x) sum += sums[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) *total = sum;
}
