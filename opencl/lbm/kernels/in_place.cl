// Two time steps that need only one grid: the AA pattern (Bailey, Myre, Walsh, Lilja and Saar 2009, "Accelerating
// lattice Boltzmann fluid flow simulations using graphics processors"). A step reads and writes the same places, so no
// work-item interferes with another.
//
// Steps alternate. In the standard order, index (i, x) holds population i of cell x after its collision.
//
// neighbour_step  starts from the standard order: it reads arriving populations, i from cell x - c_i, and stores each
// collided population where its opposite was read. Index (i, x - c_i) then holds the population that moves
//                   there from x: it has arrived.
//   local_step      finds the arrived populations in the cell itself, each in the slot of its opposite, and restores
//   the standard order.
//
// Bounce-back in a solid cell returns each population to the place from which it was read, so solid cells are skipped.
//
// There are no ghost columns, because a step would have to update them on both sides.
#include "rows.h"

#include "opencl/runtime/kernels/sum_steps.h"

FN void store_to_west(REAL value, global SCALAR* row, int x, int nx) {
#if LANES == 1
  row[x == 0 ? nx - 1 : x - 1] = value;
#else
  store_up_to(nx - x, value, row + x - 1);  // the place west of the next lane is another item's
  if (x == 0) row[nx - 1] = row[-1];
#endif
}

/// The same to the east.
FN void store_to_east(REAL value, global SCALAR* row, int x, int nx) {
#if LANES == 1
  row[x == nx - 1 ? 0 : x + 1] = value;
#else
  STORE(value, row + x + 1);
  if (nx - x <= LANES) row[0] = row[nx];
#endif
}

/// Stores the populations moving along x by `cx` out of the cells x .. of a row.
FN void store_moving(REAL value, global SCALAR* row, int cx, int x, int nx) {
  if (cx == 0)
    STORE(value, row + x);
  else if (cx > 0)
    store_to_east(value, row, x, nx);
  else
    store_to_west(value, row, x, nx);
}

#if LANES == 1
#define ANY_SOLID 0 /* such cells are skipped */
#else
#define ANY_SOLID 1
#endif

// Hardware prefetchers cannot follow nineteen streams, so every vector prefetches the data needed some rows later.
#if defined LATTICE_D3Q19 && LANES > 1
#define FETCHED_ROWS 3
#define FETCH_ROWS(place) \
  UNROLLED for (int i = 0; i < DIRECTIONS; ++i) FETCH((place) + FETCHED_ROWS * DIRECTIONS * PITCH)
#else
#define FETCH_ROWS(place)
#endif

FN void update_with_neighbours(global SCALAR* populations, MASK solid, int x, struct Row row, struct Layout grid,
                               struct Relaxation c, bool driven, REAL* speeds) {
  const struct Rows rows = rows_round(row, grid);
  FETCH_ROWS(populations + rows.at[1 - lattice_cz[i]][1 - lattice_cy[i]] + i * PITCH + x);
  struct Populations a;
  UNROLLED for (int i = 0; i < DIRECTIONS; ++i) a.f[i] =
      load_moving(populations + rows.at[1 - lattice_cz[i]][1 - lattice_cy[i]] + i * PITCH, lattice_cx[i], x, grid.nx);
  a = update_cell(a, moments_of(a, c), solid, ANY_SOLID, driven, c, speeds);
  UNROLLED for (int i = 0; i < DIRECTIONS; ++i)
      store_moving(a.f[i], populations + rows.at[1 + lattice_cz[i]][1 + lattice_cy[i]] + OPPOSITE(i) * PITCH,
                   lattice_cx[i], x, grid.nx);
}

FN void update_alone(global SCALAR* populations, MASK solid, int x, struct Row row, struct Layout grid,
                     struct Relaxation c, bool driven, REAL* speeds) {
  global SCALAR* const here = populations + row_start(row.y, row.z, grid) + x;
  FETCH_ROWS(here + i * PITCH);
  struct Populations arrived;
  UNROLLED for (int i = 0; i < DIRECTIONS; ++i) arrived.f[i] = LOAD(here + OPPOSITE(i) * PITCH);
  const struct Populations out = update_cell(arrived, moments_of(arrived, c), solid, ANY_SOLID, driven, c, speeds);
  UNROLLED for (int i = 0; i < DIRECTIONS; ++i) STORE(out.f[i], here + i * PITCH);
}

/// The two steps. Arguments and global size are those of two_grid_step in two_grid.cl.
#define IN_PLACE_STEP(name, update)                                                                           \
  STEP_KERNEL name(int first_sum, int driven_row, struct Bands bands, global const uint* restrict solid_bits, \
                   global SCALAR* restrict partial_sums, LOCAL_PARAMETER(SCALAR) scratch, struct Layout grid, \
                   struct Relaxation c, global SCALAR* restrict populations) {                                \
    const struct Row row = row_of_item(bands, grid);                                                          \
    REAL speeds = 0;                                                                                          \
    EACH_VECTOR(vector, grid, row) {                                                                          \
      const MASK solid = solid_lanes(solid_bits, vector * LANES, row, grid);                                  \
      if (ALL(solid) == 0)                                                                                    \
        update(populations, solid, vector* LANES, row, grid, c, is_driven(row, driven_row, grid), &speeds);   \
    }                                                                                                         \
    leave_sum(speeds, c.speed_unit, partial_sums, first_sum, scratch);                                        \
  }
IN_PLACE_STEP(neighbour_step, update_with_neighbours)
IN_PLACE_STEP(local_step, update_alone)

FN void swap_values(global SCALAR* a, global SCALAR* b) {
  const SCALAR value = *a;
  *a = *b;
  *b = value;
}

/// Restores the standard order after a neighbour step without a following local step. Global size: at least nx, ny, nz.
kernel void to_standard_order(global SCALAR* restrict populations, struct Layout grid) {
  const int x = get_global_id(0);
  const struct Row row = {.y = get_global_id(1), .z = get_global_id(2)};
  if (x >= grid.nx || row.y >= grid.ny || row.z >= grid.nz) return;
  const struct Rows rows = rows_round(row, grid);
  const int columns[3] = {one_before(x, grid.nx), x, one_after(x, grid.nx)};
  UNROLLED for (int i = 1; i < DIRECTIONS; ++i) {
    if (i < OPPOSITE(i))
      swap_values(populations + rows.at[1][1] + i * PITCH + x, populations +
                                                                   rows.at[1 + lattice_cz[i]][1 + lattice_cy[i]] +
                                                                   OPPOSITE(i) * PITCH + columns[1 + lattice_cx[i]]);
  }
}
