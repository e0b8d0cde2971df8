// One time step as one kernel: propagate, rebound, collision, sum of speeds, and the acceleration of the next
// step.
#include "layout.h"
#include "pack.h"
#include "reduction.h"

/// First value of row y's west padding.
FN size_t row_start(int y, struct Layout grid) { return (size_t)y * (9 * (size_t)grid.pitch); }

/// True in obstacle cells, and in lanes beyond the row's end.
FN MASK blocked_lanes(global const uint* obstacles, int x, int y, struct Layout grid) {
  return mask_from_bits(obstacles[(size_t)y * grid.mask_words + (x >> 5)] >> (x & 31));
}

/// The populations that move into cells x .. of row y.
FN struct Populations gather(global const SCALAR* source, int x, int y, struct Layout grid) {
  const int pitch = grid.pitch;
  global const SCALAR* const here = source + row_start(y, grid) + grid.west + x;
  global const SCALAR* const south = source + row_start(y == 0 ? grid.ny - 1 : y - 1, grid) + grid.west + x;
  global const SCALAR* const north = source + row_start(y == grid.ny - 1 ? 0 : y + 1, grid) + grid.west + x;
  struct Populations a;
  a.f[0] = LOAD(here);
  a.f[1] = LOAD(here + 1 * pitch - 1);
  a.f[2] = LOAD(south + 2 * pitch);
  a.f[3] = LOAD(here + 3 * pitch + 1);
  a.f[4] = LOAD(north + 4 * pitch);
  a.f[5] = LOAD(south + 5 * pitch - 1);
  a.f[6] = LOAD(south + 6 * pitch + 1);
  a.f[7] = LOAD(north + 7 * pitch + 1);
  a.f[8] = LOAD(north + 8 * pitch - 1);
  return a;
}

/// Stores one direction's values of cells x .. where another work-item owns the ghost behind the row's end:
/// only the lanes that are cells.
FN void store_up_to(int cells, REAL value, global SCALAR* to) {
#if LANES > 1
  if (cells < LANES) {
    SCALAR lanes[LANES];
    STORE(value, lanes);
    for (int lane = 0; lane < cells; ++lane) to[lane] = lanes[lane];
    return;
  }
#endif
  STORE(value, to);
}

/// Stores cells x .. of row y. The items at the two ends of the row also store the ghosts that copy their
/// cells.
FN void scatter(struct Populations a, global SCALAR* target, int x, int y, struct Layout grid) {
  const int pitch = grid.pitch, cells = grid.nx - x;
  global SCALAR* const row = target + row_start(y, grid) + grid.west;
  global SCALAR* const here = row + x;
  STORE(a.f[0], here);
  STORE(a.f[1], here + 1 * pitch);
  STORE(a.f[2], here + 2 * pitch);
  STORE(a.f[4], here + 4 * pitch);
  STORE(a.f[5], here + 5 * pitch);
  STORE(a.f[8], here + 8 * pitch);
  store_up_to(cells, a.f[3], here + 3 * pitch);
  store_up_to(cells, a.f[6], here + 6 * pitch);
  store_up_to(cells, a.f[7], here + 7 * pitch);
  if (x == 0) {
    row[3 * pitch + grid.nx] = row[3 * pitch];
    row[6 * pitch + grid.nx] = row[6 * pitch];
    row[7 * pitch + grid.nx] = row[7 * pitch];
  }
  if (cells <= LANES) {
    row[1 * pitch - 1] = row[1 * pitch + grid.nx - 1];
    row[5 * pitch - 1] = row[5 * pitch + grid.nx - 1];
    row[8 * pitch - 1] = row[8 * pitch + grid.nx - 1];
  }
}

/// Updates cells x .. of row y and returns their |u|, zero in obstacle cells. Obstacles are masks: both
/// outcomes are computed and one is chosen. The row of the body force is the same for all lanes of a row, so
/// that is a branch.
FN REAL update(global const SCALAR* source, global SCALAR* target, global const uint* obstacles, int x, int y,
               struct Layout grid, struct Relaxation c, int accelerated_row) {
  const MASK blocked = blocked_lanes(obstacles, x, y, grid);
  const struct Populations arrived = gather(source, x, y, grid);
  const struct Populations turned = bounce_back(arrived);
  const struct Moments m = moments_of(arrived, c);
  struct Populations out = collide(arrived, m, c);
#pragma unroll
  for (int i = 0; i < 9; ++i) out.f[i] = choose(blocked, turned.f[i], out.f[i]);
  if (y == accelerated_row) out = accelerate(out, blocked == 0, c);
  scatter(out, target, x, y, grid);
  return choose(blocked, (REAL)(0), speed_of(m, c));
}

/// One time step from `source` to `target`. A work-item updates VECTORS vectors of a row, one behind the
/// other. Global size: enough for grid.vectors x grid.ny; items outside do nothing but take part in the sum.
/// `partial_sums` gets one sum of |u| a work-group, from `first_sum` on. `accelerated_row` is the row that
/// the body force of the next step acts on, or -1 in the last step. `scratch`: one value a work-item. The
/// host defines the work-group, GROUP_X x GROUP_Y: some compilers allow only small groups where they do not
/// know it.
kernel __attribute__((reqd_work_group_size(GROUP_X, GROUP_Y, 1))) void fused_step(
    global const SCALAR* restrict source, global SCALAR* restrict target,
    global const uint* restrict obstacles, global SCALAR* restrict partial_sums, int first_sum,
    int accelerated_row, local SCALAR* scratch, struct Layout grid, struct Relaxation c) {
  const int first = get_global_id(0) * VECTORS, y = get_global_id(1);
  REAL speeds = 0;
#if VECTORS == 1  // a loop, even of one turn, halves the speed of an NVIDIA GPU
  if (first < grid.vectors && y < grid.ny)
    speeds = update(source, target, obstacles, first * LANES, y, grid, c, accelerated_row);
#else
  const int end = y < grid.ny ? min(first + VECTORS, grid.vectors) : first;
  for (int vector = first; vector < end; ++vector)
    speeds += update(source, target, obstacles, vector * LANES, y, grid, c, accelerated_row);
#endif
  const SCALAR sum = work_group_sum(sum_of_lanes(speeds), scratch);
  if (get_local_id(0) == 0 && get_local_id(1) == 0)
    partial_sums[first_sum + get_group_id(1) * get_num_groups(0) + get_group_id(0)] = sum;
}

/// The body force of the first step, on a grid at rest (all zeros); every later one is part of the step
/// before it. Global size: at least grid.vectors.
kernel void accelerate_start(global SCALAR* restrict populations, global const uint* restrict obstacles,
                             struct Layout grid, struct Relaxation c) {
  const int vector = get_global_id(0), x = vector * LANES, y = grid.ny - 2;
  if (vector >= grid.vectors) return;
  struct Populations a;
  for (int i = 0; i < 9; ++i) a.f[i] = (REAL)(0);
  scatter(accelerate(a, blocked_lanes(obstacles, x, y, grid) == 0, c), populations, x, y, grid);
}

/// Sums each step's partial sums to one number: sums[s] of partial_sums[s*count .. s*count + count-1], one
/// work-group a step. Kahan's compensation keeps long sums of floats right to the last digits. `scratch`: one
/// value a work-item.
kernel void sum_steps(global const SCALAR* restrict partial_sums, int count, global SCALAR* restrict sums,
                      local SCALAR* scratch) {
  const int step = get_group_id(0);
  SCALAR sum = 0, lost = 0;
  for (int i = get_local_id(0); i < count; i += get_local_size(0)) {
    const SCALAR term = partial_sums[(size_t)step * count + i] - lost;
    const SCALAR next = sum + term;
    lost = (next - sum) - term;
    sum = next;
  }
  sum = work_group_sum(sum, scratch);
  if (get_local_id(0) == 0) sums[step] = sum;
}
