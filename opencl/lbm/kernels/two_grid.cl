// One time step as one kernel from one grid to another: propagate, rebound, collision, sum of speeds, and the
// acceleration of the next step.
#if defined HALF_STORAGE && LANES == 2 && defined WARP_SHUFFLES && VECTORS == 1 && GROUP_X % 32 == 0
#include "half_pairs.h"
#define STORE_HERE store_pair
#define IN_HALF_PAIRS
#endif
#include "rows.h"

#include "opencl/runtime/kernels/sum_steps.h"

/// The populations that move into cells x .. of row y.
FN struct Populations gather(global const STORED* source, int x, int y, struct Layout grid) {
  const int pitch = grid.pitch;
  global const STORED* const here = source + row_start(y, grid) + x;
  global const STORED* const south = source + row_start(row_south(y, grid), grid) + x;
  global const STORED* const north = source + row_start(row_north(y, grid), grid) + x;
  struct Populations a;
#ifdef IN_HALF_PAIRS  // all is under way before the first is waited for
  struct Triple still = {.from = {here, south + 2 * pitch, north + 4 * pitch}};
  struct Triple west = {.from = {here + 1 * pitch, south + 5 * pitch, north + 8 * pitch}};
  struct Triple east = {.from = {here + 3 * pitch, south + 6 * pitch, north + 7 * pitch}};
#pragma unroll
  for (int i = 0; i < 3; ++i) {
    still.words[i] = word_at(still.from[i]);
    west.words[i] = word_at(west.from[i]);
    east.words[i] = word_at(east.from[i]);
  }
  const uint lanes = lanes_in_row(grid.vectors);
  move_from_west(&west, lanes);
  move_from_east(&east, lanes);
  a.f[0] = pair_in_word(still.words[0]), a.f[2] = pair_in_word(still.words[1]);
  a.f[4] = pair_in_word(still.words[2]), a.f[1] = pair_in_word(west.words[0]);
  a.f[5] = pair_in_word(west.words[1]), a.f[8] = pair_in_word(west.words[2]);
  a.f[3] = pair_in_word(east.words[0]), a.f[6] = pair_in_word(east.words[1]);
  a.f[7] = pair_in_word(east.words[2]);
#else
  a.f[0] = LOAD(here);
  a.f[1] = LOAD(here + 1 * pitch - 1);
  a.f[2] = LOAD(south + 2 * pitch);
  a.f[3] = LOAD(here + 3 * pitch + 1);
  a.f[4] = LOAD(north + 4 * pitch);
  a.f[5] = LOAD(south + 5 * pitch - 1);
  a.f[6] = LOAD(south + 6 * pitch + 1);
  a.f[7] = LOAD(north + 7 * pitch + 1);
  a.f[8] = LOAD(north + 8 * pitch - 1);
#endif
  return a;
}

/// Stores cells x .. of row y. The items at the two ends of the row also store the ghosts that copy their
/// cells.
FN void scatter(struct Populations a, global STORED* target, int x, int y, struct Layout grid) {
  const int pitch = grid.pitch, cells = grid.nx - x;
  global STORED* const row = target + row_start(y, grid);
  global STORED* const here = row + x;
  STORE_HERE(a.f[0], here);
  STORE_HERE(a.f[1], here + 1 * pitch);
  STORE_HERE(a.f[2], here + 2 * pitch);
  STORE_HERE(a.f[4], here + 4 * pitch);
  STORE_HERE(a.f[5], here + 5 * pitch);
  STORE_HERE(a.f[8], here + 8 * pitch);
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

/// Updates cells x .. of row y; `speeds` grows by |u| of fluid ones, in units of speed_unit. Solid cells are masks: both
/// outcomes are computed and one is chosen. The driven row is the same for all lanes of a row, so that is a branch.
FN void update(global const STORED* source, global STORED* target, global const uint* solid_bits, int x,
               int y, struct Layout grid, struct Relaxation c, bool is_driven, REAL* speeds) {
  const MASK solid = solid_lanes(solid_bits, x, y, grid);
  const struct Populations arrived = gather(source, x, y, grid);
#ifdef IN_HALF_PAIRS  // whose instructions count, unlike those of a kernel bound by memory alone
  const int any_solid = any(solid);
#else
  const int any_solid = 1;
#endif
  const struct Populations leaving =
      update_cell(arrived, moments_of(arrived, c), solid, any_solid, is_driven, c, speeds);
  scatter(dithered(leaving), target, x, y, grid);
}

/// One time step of the rows in `bands` from `source` to `target`. Global size: enough for grid.vectors x
/// these rows; items outside do nothing but take part in the sum. `partial_sums` gets one sum of |u| a
/// work-group, from `first_sum` on, in which halo rows do not count. `driven_row` is the row that the
/// body force of the next step acts on, or -1 in the last step. `scratch`: one value per work-item.
STEP_KERNEL two_grid_step(int first_sum, int driven_row, struct Bands bands,
                          global const uint* restrict solid_bits, global SCALAR* restrict partial_sums,
                          local SCALAR* scratch, struct Layout grid, struct Relaxation c,
                          global const STORED* restrict source, global STORED* restrict target) {
  const int y = row_in(bands, get_global_id(1));
  const bool is_driven = is_same_row(y, driven_row, grid);
  REAL speeds = 0;
  EACH_VECTOR(vector, grid, bands.south_rows + bands.north_rows) {
    update(source, target, solid_bits, vector * LANES, y, grid, c, is_driven, &speeds);
  }
  const bool is_halo = y < grid.halo || y >= grid.ny - grid.halo;
  leave_sum(is_halo ? (REAL)(0) : speeds, c.speed_unit, partial_sums, first_sum, scratch);
}

/// The body force of the first step on row y, on a grid at rest (all zeros); every later one is part of the
/// step before it. Global size: at least grid.vectors.
kernel void accelerate_start(int y, global const uint* restrict solid_bits, struct Layout grid,
                             struct Relaxation c, global STORED* restrict populations) {
  const int vector = get_global_id(0), x = vector * LANES;
  if (vector >= grid.vectors) return;
  struct Populations a;
  for (int i = 0; i < 9; ++i) a.f[i] = (REAL)(0);
  scatter(accelerate(a, solid_lanes(solid_bits, x, y, grid) == 0, c), populations, x, y, grid);
}
