// Textbook: STREAM as a student of CUDA writes it. Three arrays on the device, one kernel per operation, one thread per
// element; the dot product is a sum for each block, which the host adds up.
#include "cuda/runtime/kernels/textbook.h"

__global__ void set(REAL* a, REAL* b, REAL* c, REAL of_a, REAL of_b, REAL of_c, long long n) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) a[i] = of_a, b[i] = of_b, c[i] = of_c;
}

__global__ void copy(const REAL* a, REAL* c, long long n) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i];
}

__global__ void mul(REAL* b, const REAL* c, REAL scalar, long long n) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) b[i] = scalar * c[i];
}

__global__ void add(const REAL* a, const REAL* b, REAL* c, long long n) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void triad(REAL* a, const REAL* b, const REAL* c, REAL scalar, long long n) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i] + scalar * c[i];
}

/// Thread t of T takes elements t, t + T, t + 2T ...
__global__ void dot(const REAL* a, const REAL* b, double* sums, long long n) {
  double sum = 0;
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += a[i] * b[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

// The host's part.

static REAL *a, *b, *c;
static double* sums;
static long long n;
static double scalar;
constexpr unsigned most_sums = 2048;

/// Calls by number, as Operation of common/stream/kernels.hpp; `result` is that of dot.
extern "C" Failure stream_run(int operation, double* result) {
  const unsigned blocks = blocks_for(n);
  if (operation == 0) copy<<<blocks, block_size>>>(a, c, n);
  if (operation == 1) mul<<<blocks, block_size>>>(b, c, scalar, n);
  if (operation == 2) add<<<blocks, block_size>>>(a, b, c, n);
  if (operation == 3) triad<<<blocks, block_size>>>(a, b, c, scalar, n);
  if (operation == 4) {
    const unsigned sum_count = blocks < most_sums ? blocks : most_sums;
    double* const total = sums + most_sums;
    dot<<<sum_count, block_size>>>(a, b, sums, n);
    add_up<<<1, block_size>>>(sums, sum_count, total);  // as a tree: in sequence, this many additions lose two digits
    CHECK(cudaMemcpy(result, total, sizeof(double), cudaMemcpyDeviceToHost));
  }
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  return nullptr;
}

/// Elements from `first` on of array 0, 1 or 2.
extern "C" Failure stream_read(int array, long long first, REAL* values, long long count) {
  const REAL* const from = array == 0 ? a : array == 1 ? b : c;
  CHECK(cudaMemcpy(values, from + first, count * sizeof(REAL), cudaMemcpyDeviceToHost));
  return nullptr;
}

extern "C" Failure stream_create(long long elements, double factor, double of_a, double of_b, double of_c) {
  n = elements;
  scalar = factor;
  CHECK(cudaMalloc(&a, n * sizeof(REAL)));
  CHECK(cudaMalloc(&b, n * sizeof(REAL)));
  CHECK(cudaMalloc(&c, n * sizeof(REAL)));
  CHECK(cudaMalloc(&sums, (most_sums + 1) * sizeof(double)));
  set<<<blocks_for(n), block_size>>>(a, b, c, of_a, of_b, of_c, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  return nullptr;
}

extern "C" void stream_destroy() {
  for (void* memory : {(void*)a, (void*)b, (void*)c, (void*)sums}) cudaFree(memory);
}
