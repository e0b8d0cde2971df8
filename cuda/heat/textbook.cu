// Textbook: the heat equation as a student of CUDA writes it. One thread per cell, in blocks of 32 x 8; a step is three
// launches:
//
//   spread     work = 0.2 (centre + north + south + west + east)
//   take_over  delta of each block: the sum of |work - centre|;   centre = work
//   add_up     the deltas of the blocks become one
//
// Cell (row, column) is at (row + 1) * pitch + column + 1: a border of one cell surrounds the plate.
#include "cuda/runtime/kernels/textbook.h"

__global__ void spread(int width, int height, const REAL* plate, REAL* work) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const long long pitch = width + 2, at = (y + 1) * pitch + x + 1;
  work[at] = REAL(0.2) * (plate[at] + plate[at - pitch] + plate[at + pitch] + plate[at - 1] + plate[at + 1]);
}

__global__ void take_over(int width, int height, REAL* plate, const REAL* work, double* deltas) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  REAL change = 0;
  if (x < width && y < height) {
    const long long at = (y + 1) * (width + 2ll) + x + 1;
    change = work[at] < plate[at] ? plate[at] - work[at] : work[at] - plate[at];
    plate[at] = work[at];
  }
  const double delta = block_sum(change);
  if (threadIdx.x == 0 && threadIdx.y == 0) deltas[blockIdx.x + gridDim.x * blockIdx.y] = delta;
}

// The host's part.

static int width, height;
static REAL *plate, *work;
static double* deltas;
static const dim3 block(32, block_size / 32);
static dim3 blocks() { return dim3(blocks_for(width, block.x), blocks_for(height, block.y)); }
static size_t bytes() { return (width + 2ull) * (height + 2ull) * sizeof(REAL); }

/// `steps` time steps, and the delta of each.
extern "C" Failure heat_run(int steps, double* delta_of_step) {
  double* totals;
  CHECK(cudaMalloc(&totals, steps * sizeof(double)));
  for (int t = 0; t < steps; ++t) {
    spread<<<blocks(), block>>>(width, height, plate, work);
    take_over<<<blocks(), block>>>(width, height, plate, work, deltas);
    add_up<<<1, block_size>>>(deltas, (long long)blocks().x * blocks().y, totals + t);
    CHECK(cudaGetLastError());
  }
  CHECK(cudaMemcpy(delta_of_step, totals, steps * sizeof(double), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(totals));
  return nullptr;
}

/// The temperatures with their border.
extern "C" Failure heat_read(REAL* temperatures) {
  CHECK(cudaMemcpy(temperatures, plate, bytes(), cudaMemcpyDeviceToHost));
  return nullptr;
}

extern "C" Failure heat_create(int columns, int rows, const REAL* temperatures) {
  width = columns, height = rows;
  CHECK(cudaMalloc(&plate, bytes()));
  CHECK(cudaMalloc(&work, bytes()));
  CHECK(cudaMalloc(&deltas, blocks().x * blocks().y * sizeof(double)));
  CHECK(cudaMemcpy(plate, temperatures, bytes(), cudaMemcpyHostToDevice));
  return nullptr;
}

extern "C" void heat_destroy() {
  for (void* memory : {(void*)plate, (void*)work, (void*)deltas}) cudaFree(memory);
}
