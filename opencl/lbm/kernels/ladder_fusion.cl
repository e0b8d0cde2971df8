// Propagate, rebound, collision and average velocity in one kernel from one grid to another: the later steps
// of the published ladder. One work-item a cell; global sizes are at least nx x ny. The host defines MASKED
// where obstacles are masks and no branches.
#include "ladder.h"
#include "opencl/runtime/kernels/sum_steps.h"

/// What becomes of `arrived` in a cell; `speed` becomes |u|, zero in obstacle cells.
FN struct Populations after_arrival(struct Populations arrived, bool is_obstacle, struct Relaxation c,
                                    SCALAR* speed) {
#ifdef MASKED
  const struct Moments m = moments_of(arrived, c);
  const struct Populations turned = bounce_back(arrived);
  struct Populations out = collide(arrived, m, c);
#pragma unroll
  for (int i = 0; i < 9; ++i) out.f[i] = choose(is_obstacle, turned.f[i], out.f[i]);
  *speed = choose(is_obstacle, (SCALAR)(0), speed_of(m, c));
  return out;
#else
  if (is_obstacle) {
    *speed = 0;
    return bounce_back(arrived);
  }
  const struct Moments m = moments_of(arrived, c);
  *speed = speed_of(m, c);
  return collide(arrived, m, c);
#endif
}

/// Steps `fused` and `masked`. partial_sums and partial_cells get one entry a work-group; `scratch`: two
/// values a work-item.
CELL_KERNEL timestep(global const int* restrict obstacles, int nx, int ny, struct Relaxation c,
                     global SCALAR* restrict partial_sums, global int* restrict partial_cells,
                     local SCALAR* scratch, global const SCALAR* restrict source,
                     global SCALAR* restrict target) {
  const int x = COLUMN, y = ROW;
  const size_t cell = cell_at(x, y, nx);
  SCALAR speed = 0;
  bool is_fluid = false;
  if (x < nx && y < ny) {
    is_fluid = obstacles[cell] == 0;
    const struct Populations arrived = arrivals(source, x, y, nx, ny);
    store_cell(after_arrival(arrived, !is_fluid, c, &speed), target, cell, (size_t)nx * ny);
  }
  leave_sums(speed, is_fluid, partial_sums, partial_cells, scratch);
}

/// Step `further`: with the body force of the next step in row `accelerated_row` (-1: none), and without
/// counting cells. `partial_sums` gets one entry a work-group, from `first_sum` on.
CELL_KERNEL further_step(global const int* restrict obstacles, int nx, int ny, struct Relaxation c,
                         global SCALAR* restrict partial_sums, int first_sum, int accelerated_row,
                         local SCALAR* scratch, global const SCALAR* restrict source,
                         global SCALAR* restrict target) {
  const int x = COLUMN, y = ROW;
  SCALAR speed = 0;
  if (x < nx && y < ny) {
    const size_t cell = cell_at(x, y, nx);
    const bool is_obstacle = obstacles[cell] != 0;
    const struct Populations out = after_arrival(arrivals(source, x, y, nx, ny), is_obstacle, c, &speed);
    store_cell(accelerate(out, !is_obstacle & (y == accelerated_row), c), target, cell, (size_t)nx * ny);
  }
  const SCALAR sum = work_group_sum(speed, scratch);
  if (item_number() == 0) partial_sums[first_sum + group_number()] = sum;
}
