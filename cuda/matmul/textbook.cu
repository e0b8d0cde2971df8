// Textbook: C = A B as a student of CUDA writes it (CUDA C++ Programming Guide, "Shared Memory"). One thread per
// element of C, in blocks of 16 x 16. A block loads a tile of A and one of B into shared memory, so that each number
// read from the device's memory serves 16 threads:
//
//   for each tile along k
//     tile_a[y][x] = a[row][k + x];   tile_b[y][x] = b[k + y][column]
//     sum += tile_a[y][0] * tile_b[0][x] + ... + tile_a[y][15] * tile_b[15][x]
#include "cuda/runtime/kernels/textbook.h"

constexpr int tile = 16;

__global__ void multiply(int m, int n, int depth, const REAL* a, const REAL* b, REAL* c) {
  __shared__ REAL tile_a[tile][tile], tile_b[tile][tile];
  const int x = threadIdx.x, y = threadIdx.y;
  const long long column = (long long)blockIdx.x * tile + x, row = (long long)blockIdx.y * tile + y;
  REAL sum = 0;
  for (int k = 0; k < depth; k += tile) {
    tile_a[y][x] = row < m && k + x < depth ? a[row * depth + k + x] : REAL(0);
    tile_b[y][x] = k + y < depth && column < n ? b[(long long)(k + y) * n + column] : REAL(0);
    __syncthreads();
    for (int i = 0; i < tile; ++i) sum += tile_a[y][i] * tile_b[i][x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

// The host's part.

static int m, n, depth;
static REAL *a, *b, *c;

static size_t bytes(int rows, int columns) { return sizeof(REAL) * rows * columns; }

extern "C" Failure matmul_run() {
  const dim3 blocks(blocks_for(n, tile), blocks_for(m, tile)), block(tile, tile);
  multiply<<<blocks, block>>>(m, n, depth, a, b, c);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  return nullptr;
}

extern "C" Failure matmul_read(REAL* product) {
  CHECK(cudaMemcpy(product, c, bytes(m, n), cudaMemcpyDeviceToHost));
  return nullptr;
}

/// C (rows x columns) = A (rows x inner) B (inner x columns), each row by row.
extern "C" Failure matmul_create(int rows, int columns, int inner, const REAL* of_a, const REAL* of_b) {
  m = rows, n = columns, depth = inner;
  CHECK(cudaMalloc(&a, bytes(m, depth)));
  CHECK(cudaMalloc(&b, bytes(depth, n)));
  CHECK(cudaMalloc(&c, bytes(m, n)));
  CHECK(cudaMemcpy(a, of_a, bytes(m, depth), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(b, of_b, bytes(depth, n), cudaMemcpyHostToDevice));
  return nullptr;
}

/// Fills C with NaN.
extern "C" Failure matmul_spoil() {
  CHECK(cudaMemset(c, 0xff, bytes(m, n)));
  return nullptr;
}

extern "C" void matmul_destroy() {
  for (void* memory : {(void*)a, (void*)b, (void*)c}) cudaFree(memory);
}
