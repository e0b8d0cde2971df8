// Textbook: lattice Boltzmann as a student of CUDA writes it. Two grids on the device, one thread per cell; a time step
// is three launches, or four with moving walls:
//
//   accelerate_flow  `from`  read and write    the body force on the driven row
//   time_step        `from`  read              pull: each population from the neighbour it comes from
//                    `to`    write             collided, or bounced back where solid; a sum of |u| for each block
//   push_walls       `to`    read and write    what moving walls give to the populations that leave them
//   add_up           the sums of the blocks become one; then the grids are swapped
//
// Population i of cell (x, y, z) is at i * cells + x + nx * (y + ny * z), so that the threads of a warp read and write
// neighbouring numbers. The physics of a cell is that of every model, common/lbm/cell.h.
#include "cuda/runtime/kernels/textbook.h"

#define OPENCL_C_IN_CUDA
#define SCALAR REAL
#define MASK int
#define KERNEL_FN __device__ inline
#define __constant static __constant__
#include "common/lbm/cell.h"

struct Grid {
  int nx, ny, nz, driven_row;
  long long cells;
};

/// Like WallPush of common/lbm/start_state.hpp.
struct Push {
  long long cell;
  int direction;
  double momentum;
};

__device__ long long cell_at(Grid n, int x, int y, int z) { return x + n.nx * (y + (long long)n.ny * z); }

/// All directions are periodic.
__device__ int wrapped(int at, int count) { return at < 0 ? at + count : at < count ? at : at - count; }

/// One thread for each cell of the driven row, in every plane.
__global__ void accelerate_flow(Grid n, Relaxation c, const unsigned char* solid, REAL* from) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, z = blockIdx.y;
  if (x >= n.nx) return;
  const long long cell = cell_at(n, x, n.driven_row, z);
  if (solid[cell]) return;
  Populations a;
  for (int i = 0; i < DIRECTIONS; ++i) a.f[i] = from[i * n.cells + cell];
  a = accelerate(a, 1, c);
  for (int i = 0; i < DIRECTIONS; ++i) from[i * n.cells + cell] = a.f[i];
}

__global__ void time_step(Grid n, Relaxation c, const unsigned char* solid, const REAL* from, REAL* to,
                          double* sums) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
            z = blockIdx.z;
  REAL speed = 0;
  if (x < n.nx && y < n.ny) {
    const long long cell = cell_at(n, x, y, z);
    Populations a;
    for (int i = 0; i < DIRECTIONS; ++i)
      a.f[i] =
          from[i * n.cells + cell_at(n, wrapped(x - lattice_cx[i], n.nx), wrapped(y - lattice_cy[i], n.ny),
                                     wrapped(z - lattice_cz[i], n.nz))];
    if (solid[cell]) {
      a = bounce_back(a);
    } else {
      const Moments m = moments_of(a, c);
      speed = speed_of(m, c);
      a = collide(a, m, c);
    }
    for (int i = 0; i < DIRECTIONS; ++i) to[i * n.cells + cell] = a.f[i];
  }
  const double sum = block_sum(speed);
  if (threadIdx.x == 0 && threadIdx.y == 0)
    sums[blockIdx.x + gridDim.x * (blockIdx.y + (long long)gridDim.y * blockIdx.z)] = sum;
}

__global__ void push_walls(Grid n, const Push* pushes, int count, REAL* to) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[pushes[i].direction * n.cells + pushes[i].cell] += REAL(pushes[i].momentum);
}

// The host's part.

static Grid n;
static Relaxation c;
static int push_count;
static REAL *from, *to;  // the grids
static unsigned char* solid;
static Push* pushes;
static double* sums;

static const dim3 block(64, block_size / 64);
static dim3 blocks() { return dim3(blocks_for(n.nx, block.x), blocks_for(n.ny, block.y), n.nz); }

/// `steps` time steps; returns the sum of |u| over the fluid cells for each.
extern "C" Failure lbm_run(int steps, double* speeds) {
  double* totals;
  CHECK(cudaMalloc(&totals, steps * sizeof(double)));
  const long long sum_count = (long long)blocks().x * blocks().y * blocks().z;
  for (int t = 0; t < steps; ++t) {
    if (n.driven_row >= 0) accelerate_flow<<<dim3(blocks_for(n.nx), n.nz), block_size>>>(n, c, solid, from);
    time_step<<<blocks(), block>>>(n, c, solid, from, to, sums);
    if (push_count > 0) push_walls<<<blocks_for(push_count), block_size>>>(n, pushes, push_count, to);
    add_up<<<1, block_size>>>(sums, sum_count, totals + t);
    CHECK(cudaGetLastError());
    std::swap(from, to);
  }
  CHECK(cudaMemcpy(speeds, totals, steps * sizeof(double), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(totals));
  return nullptr;
}

/// The populations of all cells.
extern "C" Failure lbm_read(REAL* populations) {
  CHECK(cudaMemcpy(populations, from, DIRECTIONS * n.cells * sizeof(REAL), cudaMemcpyDeviceToHost));
  return nullptr;
}

extern "C" Failure lbm_create(int nx, int ny, int nz, int driven_row, const Relaxation* constants,
                              const unsigned char* is_solid, const Push* wall_pushes, int pushed,
                              const REAL* start) {
  n = {nx, ny, nz, driven_row, (long long)nx * ny * nz};
  c = *constants;
  push_count = pushed;
  const size_t bytes = DIRECTIONS * n.cells * sizeof(REAL);
  CHECK(cudaMalloc(&from, bytes));
  CHECK(cudaMalloc(&to, bytes));
  CHECK(cudaMalloc(&solid, n.cells));
  CHECK(cudaMalloc(&pushes, (pushed + 1) * sizeof(Push)));
  CHECK(cudaMalloc(&sums, blocks().x * blocks().y * blocks().z * sizeof(double)));
  CHECK(cudaMemcpy(solid, is_solid, n.cells, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(pushes, wall_pushes, pushed * sizeof(Push), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(from, start, bytes, cudaMemcpyHostToDevice));
  // CUDA loads a kernel at its first launch; it is done here so that no timed run includes it.
  double ignored;
  if (const Failure failure = lbm_run(1, &ignored)) return failure;
  CHECK(cudaMemcpy(from, start, bytes, cudaMemcpyHostToDevice));
  return nullptr;
}

extern "C" void lbm_destroy() {
  for (void* memory : {(void*)from, (void*)to, (void*)solid, (void*)pushes, (void*)sums}) cudaFree(memory);
}
