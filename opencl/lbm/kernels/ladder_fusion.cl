// Propagate, rebound, collision and average velocity in one kernel from one grid to another: the later steps of the
// published ladder. One work-item per cell; global sizes are at least nx x ny. The host defines MASKED if solid cells
// are masks instead of branches.
#include "ladder.h"
#include "opencl/runtime/kernels/sum_steps.h"

/// Updates the populations `arrived` in a cell; `speed` becomes |u|, zero in solid cells.
FN struct Populations after_arrival(struct Populations arrived, bool is_solid, struct Relaxation c, SCALAR* speed) {
#ifdef MASKED
  SCALAR scaled = 0;
  const struct Populations leaving = update_cell(arrived, moments_of(arrived, c), is_solid, 1, 0, c, &scaled);
  *speed = scaled * c.speed_unit;
  return leaving;
#else
  if (is_solid) {
    *speed = 0;
    return bounce_back(arrived);
  }
  const struct Moments m = moments_of(arrived, c);
  *speed = speed_of(m, c);
  return collide(arrived, m, c);
#endif
}

/// Steps `fused` and `masked`. partial_sums, partial_cells: one entry per work-group; `scratch`: two values per
/// work-item.
CELL_KERNEL timestep(global const int* restrict solid, int nx, int ny, struct Relaxation c,
                     global SCALAR* restrict partial_sums, global int* restrict partial_cells, local SCALAR* scratch,
                     global const SCALAR* restrict source, global SCALAR* restrict target) {
  const int x = COLUMN, y = ROW;
  const size_t cell = cell_at(x, y, nx);
  SCALAR speed = 0;
  bool is_fluid = false;
  if (x < nx && y < ny) {
    is_fluid = solid[cell] == 0;
    const struct Populations arrived = arrivals(source, x, y, nx, ny);
    store_cell(after_arrival(arrived, !is_fluid, c, &speed), target, cell, (size_t)nx * ny);
  }
  leave_sums(speed, is_fluid, partial_sums, partial_cells, scratch);
}

/// Step `further`: with the body force of the next step in row `driven_row` (-1: none), and without
/// counting cells. `partial_sums` gets one entry per work-group, from `first_sum` on.
CELL_KERNEL further_step(int first_sum, int driven_row, global const int* restrict solid, int nx, int ny,
                         struct Relaxation c, global SCALAR* restrict partial_sums, local SCALAR* scratch,
                         global const SCALAR* restrict source, global SCALAR* restrict target) {
  const int x = COLUMN, y = ROW;
  SCALAR speed = 0;
  if (x < nx && y < ny) {
    const size_t cell = cell_at(x, y, nx);
    const bool is_solid = solid[cell] != 0;
    const struct Populations out = after_arrival(arrivals(source, x, y, nx, ny), is_solid, c, &speed);
    store_cell(accelerate(out, !is_solid & (y == driven_row), c), target, cell, (size_t)nx * ny);
  }
  const SCALAR sum = work_group_sum(speed, scratch);
  if (item_number() == 0) partial_sums[first_sum + group_number()] = sum;
}
