// One time step from one grid to another: propagate, rebound, collision, sum of speeds, and the next acceleration.
#if defined HALF_STORAGE && LANES == 2 && defined WARP_SHUFFLES && VECTORS == 1 && \
    (defined LATTICE_D3Q19 || GROUP_X % 32 == 0)
#include "half_pairs.h"
#define STORE_HERE store_half_pair
#ifdef LATTICE_D3Q19  // if shifted values are read one by one, which was faster than shuffles
#define LOAD_HERE(from) pair_in_word(word_at(from))
#else
#define IN_HALF_PAIRS
#endif
#endif
#ifndef LATTICE_D3Q19
#define GHOSTS
#endif
#include "rows.h"

#include "opencl/runtime/kernels/sum_steps.h"

/// The populations that move into cells x .. of the row in the middle of `rows`.
FN struct Populations gather(global const STORED* source, int x, struct Rows rows, struct Layout grid) {
  struct Populations a;
#ifdef IN_HALF_PAIRS  // all loads are in flight before the first is needed
  const int pitch = PITCH;
  global const STORED* const here = source + rows.at[1][1] + x;
  global const STORED* const south = source + rows.at[1][0] + x;
  global const STORED* const north = source + rows.at[1][2] + x;
  struct Triple still = {.from = {here, south + 2 * pitch, north + 4 * pitch}};
  struct Triple west = {.from = {here + 1 * pitch, south + 5 * pitch, north + 8 * pitch}};
  struct Triple east = {.from = {here + 3 * pitch, south + 6 * pitch, north + 7 * pitch}};
  UNROLLED for (int i = 0; i < 3; ++i) {
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
  UNROLLED for (int i = 0; i < DIRECTIONS; ++i) a.f[i] =
      load_moving(source + rows.at[1 - lattice_cz[i]][1 - lattice_cy[i]] + i * PITCH, lattice_cx[i], x, grid.nx);
#endif
  return a;
}

/// Updates cells x .. of a row; adds |u| of fluid ones to `speeds`, in units of speed_unit. Solid cells are masks: both
/// results are computed and one is selected. The driven row is a branch, the same for all lanes of a row.
FN void update(global const STORED* source, global STORED* target, global const uint* solid_bits, int x, struct Row row,
               struct Layout grid, struct Relaxation c, bool driven, REAL* speeds) {
  const MASK solid = solid_lanes(solid_bits, x, row, grid);
  const struct Rows rows = rows_round(row, grid);
  const struct Populations arrived = gather(source, x, rows, grid);
#ifdef IN_HALF_PAIRS  // whose instructions matter, unlike those of a kernel bound only by memory
  const int any_solid = any(solid);
#else
  const int any_solid = 1;
#endif
  const struct Populations leaving = update_cell(arrived, moments_of(arrived, c), solid, any_solid, driven, c, speeds);
  store_cells(dithered(leaving), target + rows.at[1][1], x, grid);
}

/// One time step of the layers in `bands` from `source` to `target`. Global size: enough for grid.vectors x these rows;
/// items outside only take part in the sum. `partial_sums` gets one sum of |u| per work-group, from `first_sum` on,
/// without halo layers. `driven_row` is the row on which the body force of the next step acts, or -1 in the last step.
/// `scratch`: one value per work-item.
STEP_KERNEL two_grid_step(int first_sum, int driven_row, struct Bands bands, global const uint* restrict solid_bits,
                          global SCALAR* restrict partial_sums, LOCAL_PARAMETER(SCALAR) scratch, struct Layout grid,
                          struct Relaxation c, global const STORED* restrict source, global STORED* restrict target) {
  const struct Row row = row_of_item(bands, grid);
  const bool driven = is_driven(row, driven_row, grid);
  REAL speeds = 0;
  EACH_VECTOR(vector, grid, row) { update(source, target, solid_bits, vector * LANES, row, grid, c, driven, &speeds); }
  leave_sum(is_in_halo(row, grid) ? VECTOR(REAL)(0) : speeds, c.speed_unit, partial_sums, first_sum, scratch);
}
