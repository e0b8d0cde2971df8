// Two time steps that need one grid only: the AA pattern (Bailey, Myre, Walsh, Lilja and Saar 2009,
// "Accelerating lattice Boltzmann fluid flow simulations using graphics processors"). A step reads and writes
// the same places, so no work-item can disturb another.
//
// Steps alternate. In the standard order, index (i, x) holds population i of cell x after its collision.
//
//   neighbour_step  starts from the standard order: it reads what arrives, i from cell x - c_i, and leaves each collided
//                   population where its opposite was read. Index (i, x - c_i) then holds the population that moves
//                   there from x: it has arrived.
//   local_step      finds in a cell itself what has arrived there, each population in its opposite's stead, and leaves
//                   the standard order.
//
// Bouncing back the populations of a solid cell puts each back where it was read: nothing is done there.
//
// There are no ghost columns: a step would have to bring them up to date on both sides.
#include "rows.h"

#include "opencl/runtime/kernels/sum_steps.h"

/// Values of one direction in the cells west of x .. , the row's last cell being west of its first. `row`: x
/// = 0.
FN REAL load_from_west(global const SCALAR* row, int x, int nx) {
#if LANES == 1
  return row[x == 0 ? nx - 1 : x - 1];
#else
  const REAL value = LOAD(row + x - 1);
  return x == 0 ? choose(mask_from_bits(1), (REAL)(row[nx - 1]), value) : value;
#endif
}

FN void store_to_west(REAL value, global SCALAR* row, int x, int nx) {
#if LANES == 1
  row[x == 0 ? nx - 1 : x - 1] = value;
#else
  store_up_to(nx - x, value, row + x - 1);  // the place west of the next lane is another item's
  if (x == 0) row[nx - 1] = row[-1];
#endif
}

/// The same to the east.
FN REAL load_from_east(global const SCALAR* row, int x, int nx) {
#if LANES == 1
  return row[x == nx - 1 ? 0 : x + 1];
#else
  const REAL value = LOAD(row + x + 1);
  return nx - x <= LANES ? choose(mask_from_bits(1u << (nx - x - 1)), (REAL)(row[0]), value) : value;
#endif
}

FN void store_to_east(REAL value, global SCALAR* row, int x, int nx) {
#if LANES == 1
  row[x == nx - 1 ? 0 : x + 1] = value;
#else
  STORE(value, row + x + 1);
  if (nx - x <= LANES) row[0] = row[nx];
#endif
}

#if LANES == 1
#define ANY_SOLID 0 /* such cells are skipped */
#else
#define ANY_SOLID 1
#endif

FN void update_with_neighbours(global SCALAR* populations, MASK solid, int x, int y, struct Layout grid,
                               struct Relaxation c, bool is_driven, REAL* speeds) {
  const int pitch = grid.pitch, nx = grid.nx;
  global SCALAR* const here = populations + row_start(y, grid);
  global SCALAR* const south = populations + row_start(row_south(y, grid), grid);
  global SCALAR* const north = populations + row_start(row_north(y, grid), grid);
  struct Populations a;
  a.f[0] = LOAD(here + x);
  a.f[1] = load_from_west(here + 1 * pitch, x, nx);
  a.f[2] = LOAD(south + 2 * pitch + x);
  a.f[3] = load_from_east(here + 3 * pitch, x, nx);
  a.f[4] = LOAD(north + 4 * pitch + x);
  a.f[5] = load_from_west(south + 5 * pitch, x, nx);
  a.f[6] = load_from_east(south + 6 * pitch, x, nx);
  a.f[7] = load_from_east(north + 7 * pitch, x, nx);
  a.f[8] = load_from_west(north + 8 * pitch, x, nx);
  a = update_cell(a, moments_of(a, c), solid, ANY_SOLID, is_driven, c, speeds);
  STORE(a.f[0], here + x);
  store_to_west(a.f[3], here + 1 * pitch, x, nx);
  STORE(a.f[4], south + 2 * pitch + x);
  store_to_east(a.f[1], here + 3 * pitch, x, nx);
  STORE(a.f[2], north + 4 * pitch + x);
  store_to_west(a.f[7], south + 5 * pitch, x, nx);
  store_to_east(a.f[8], south + 6 * pitch, x, nx);
  store_to_east(a.f[5], north + 7 * pitch, x, nx);
  store_to_west(a.f[6], north + 8 * pitch, x, nx);
}

FN void update_alone(global SCALAR* populations, MASK solid, int x, int y, struct Layout grid,
                     struct Relaxation c, bool is_driven, REAL* speeds) {
  global SCALAR* const here = populations + row_start(y, grid) + x;
  struct Populations found;
#pragma unroll
  for (int i = 0; i < 9; ++i) found.f[i] = LOAD(here + i * grid.pitch);
  const struct Populations arrived = bounce_back(found);
  const struct Populations out =
      update_cell(arrived, moments_of(arrived, c), solid, ANY_SOLID, is_driven, c, speeds);
#pragma unroll
  for (int i = 0; i < 9; ++i) STORE(out.f[i], here + i * grid.pitch);
}

/// The two steps. Arguments and global size as those of two_grid_step in two_grid.cl, but for
/// all rows.
STEP_KERNEL neighbour_step(int first_sum, int driven_row, global const uint* restrict solid_bits,
                           global SCALAR* restrict partial_sums, local SCALAR* scratch, struct Layout grid,
                           struct Relaxation c, global SCALAR* restrict populations) {
  const int y = get_global_id(1);
  REAL speeds = 0;
  EACH_VECTOR(vector, grid, grid.ny) {
    const MASK solid = solid_lanes(solid_bits, vector * LANES, y, grid);
    if (ALL(solid) == 0)
      update_with_neighbours(populations, solid, vector * LANES, y, grid, c, y == driven_row, &speeds);
  }
  leave_sum(speeds, c.speed_unit, partial_sums, first_sum, scratch);
}

STEP_KERNEL local_step(int first_sum, int driven_row, global const uint* restrict solid_bits,
                       global SCALAR* restrict partial_sums, local SCALAR* scratch, struct Layout grid,
                       struct Relaxation c, global SCALAR* restrict populations) {
  const int y = get_global_id(1);
  REAL speeds = 0;
  EACH_VECTOR(vector, grid, grid.ny) {
    const MASK solid = solid_lanes(solid_bits, vector * LANES, y, grid);
    if (ALL(solid) == 0)
      update_alone(populations, solid, vector * LANES, y, grid, c, y == driven_row, &speeds);
  }
  leave_sum(speeds, c.speed_unit, partial_sums, first_sum, scratch);
}

/// The body force of the first step on row y, on a grid at rest (all zeros) in the standard order. Global size:
/// at least grid.vectors.
kernel void accelerate_start(int y, global const uint* restrict solid_bits, struct Layout grid,
                             struct Relaxation c, global SCALAR* restrict populations) {
  const int vector = get_global_id(0), x = vector * LANES;
  if (vector >= grid.vectors) return;
  struct Populations a;
  for (int i = 0; i < 9; ++i) a.f[i] = (REAL)(0);
  a = accelerate(a, solid_lanes(solid_bits, x, y, grid) == 0, c);
  for (int i = 0; i < 9; ++i) STORE(a.f[i], populations + row_start(y, grid) + i * grid.pitch + x);
}

FN void swap_values(global SCALAR* a, global SCALAR* b) {
  const SCALAR value = *a;
  *a = *b;
  *b = value;
}

/// Brings the standard order back after a neighbour step that no local step follows. Global size: nx x ny, or
/// more.
kernel void to_standard_order(global SCALAR* restrict populations, struct Layout grid) {
  const int x = get_global_id(0), y = get_global_id(1), pitch = grid.pitch;
  if (x >= grid.nx || y >= grid.ny) return;
  const int west = x == 0 ? grid.nx - 1 : x - 1, east = x == grid.nx - 1 ? 0 : x + 1;
  global SCALAR* const here = populations + row_start(y, grid);
  global SCALAR* const north = populations + row_start(row_north(y, grid), grid);
  swap_values(here + 1 * pitch + x, here + 3 * pitch + east);
  swap_values(here + 2 * pitch + x, north + 4 * pitch + x);
  swap_values(here + 5 * pitch + x, north + 7 * pitch + east);
  swap_values(here + 6 * pitch + x, north + 8 * pitch + west);
}
