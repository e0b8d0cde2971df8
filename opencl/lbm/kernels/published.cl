// One time step as OpenCL codes of D3Q19 were published (McIntosh-Smith, UPMARC summer school, Uppsala 2014): one fused
// kernel, one work-item per cell, work-groups of 128 along x on every device, two grids, structure of arrays: value i
// of cell (x, y, z) at i * cells + x + nx * (y + ny * z). Deliberately not tuned.
#include "cells.h"

#include "opencl/runtime/kernels/sum_steps.h"

#include "walls.h"

struct Extent {
  int nx, ny, nz;
};

FN size_t place(int i, int x, int y, int z, struct Extent n) { return (((size_t)i * n.nz + z) * n.ny + y) * n.nx + x; }

FN int wrapped(int at, int n) { return at < 0 ? at + n : at >= n ? at - n : at; }

/// `partial_sums` gets one sum of |u| per work-group, from `first_sum` on; `driven_row` is the row on which the body
/// force of the next step acts, or -1. Global size: nx, rounded up to whole groups, x ny x nz.
kernel GROUP_OF(GROUP_X) void published_step(int first_sum, int driven_row, global const int* restrict solid,
                                             global SCALAR* restrict partial_sums, LOCAL_PARAMETER(SCALAR) scratch,
                                             struct Extent n, struct Relaxation c, global const SCALAR* restrict source,
                                             global SCALAR* restrict target) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  SCALAR speed = 0;
  if (x < n.nx) {
    struct Populations a;
    UNROLLED for (int i = 0; i < DIRECTIONS; ++i) a.f[i] = source[place(
        i, wrapped(x - lattice_cx[i], n.nx), wrapped(y - lattice_cy[i], n.ny), wrapped(z - lattice_cz[i], n.nz), n)];
    if (solid[place(0, x, y, z, n)]) {
      a = bounce_back(a);
    } else {
      const struct Moments m = moments_of(a, c);
      speed = speed_of(m, c);
      a = collide(a, m, c);
      if (y == driven_row) a = accelerate(a, 1, c);
    }
    UNROLLED for (int i = 0; i < DIRECTIONS; ++i) target[place(i, x, y, z, n)] = a.f[i];
  }
  const SCALAR sum = work_group_sum(speed, scratch);
  if (item_number() == 0) partial_sums[first_sum + group_number()] = sum;
}

/// The body force of the first step. Global size: at least nx, and nz.
kernel void accelerate_start(int y, global const int* restrict solid, struct Extent n, struct Relaxation c,
                             global SCALAR* restrict populations) {
  const int x = get_global_id(0), z = get_global_id(1);
  if (x >= n.nx || solid[place(0, x, y, z, n)]) return;
  struct Populations a;
  for (int i = 0; i < DIRECTIONS; ++i) a.f[i] = populations[place(i, x, y, z, n)];
  a = accelerate(a, 1, c);
  for (int i = 0; i < DIRECTIONS; ++i) populations[place(i, x, y, z, n)] = a.f[i];
}
