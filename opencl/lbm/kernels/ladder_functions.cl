// One kernel for each function of the method, over two grids: the first steps of the published ladder. One work-item
// per cell; global sizes are at least nx x ny.
//
//   accelerate_flow  populations  read and write one row
//   propagate        populations  read, arrived  write
//   rebound          arrived      read, populations  write   (solid cells)
//   collision        arrived      read, populations  write   (fluid)
//   av_velocity      populations  read
#include "ladder.h"

CELL_KERNEL propagate(global const SCALAR* restrict populations, global SCALAR* restrict arrived, int nx, int ny) {
  TAKE_CELL
  store_cell(arrivals(populations, x, y, nx, ny), arrived, cell, cells);
}

CELL_KERNEL rebound(global SCALAR* restrict populations, global const SCALAR* restrict arrived,
                    global const int* restrict solid, int nx, int ny) {
  TAKE_CELL
  if (solid[cell]) store_cell(bounce_back(load_cell(arrived, cell, cells)), populations, cell, cells);
}

CELL_KERNEL collision(global SCALAR* restrict populations, global const SCALAR* restrict arrived,
                      global const int* restrict solid, int nx, int ny, struct Relaxation c) {
  TAKE_CELL
  if (solid[cell]) return;
  const struct Populations a = load_cell(arrived, cell, cells);
  store_cell(collide(a, moments_of(a, c), c), populations, cell, cells);
}

/// partial_sums and partial_cells get one entry per work-group. `speeds`: one value per cell, `scratch`: two
/// values per work-item; a step uses one of them.
CELL_KERNEL av_velocity(global const SCALAR* restrict populations, global const int* restrict solid, int nx, int ny,
                        struct Relaxation c, global SCALAR* restrict partial_sums, global int* restrict partial_cells,
                        local SCALAR* scratch, global SCALAR* restrict speeds) {
  const int x = COLUMN, y = ROW;
  const size_t cell = cell_at(x, y, nx);
  const bool is_fluid = x < nx && y < ny && solid[cell] == 0;
  const SCALAR speed = is_fluid ? speed_of(moments_of(load_cell(populations, cell, (size_t)nx * ny), c), c) : 0;
#ifdef LOCAL_REDUCTION
  leave_sums(speed, is_fluid, partial_sums, partial_cells, scratch);
#else
  // One work-item of the group adds up the values that the others store in global memory.
  if (x < nx && y < ny) speeds[cell] = speed;
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (item_number() != 0) return;
  SCALAR sum = 0;
  int fluid_cells = 0;
  for (int j = y; j < min(y + GROUP_Y, ny); ++j)
    for (int i = x; i < min(x + GROUP_X, nx); ++i) {
      sum += speeds[cell_at(i, j, nx)];
      fluid_cells += solid[cell_at(i, j, nx)] == 0;
    }
  partial_sums[group_number()] = sum;
  partial_cells[group_number()] = fluid_cells;
#endif
}
