// Shared by the kernels that walk along the rows of layout.h: places, masks, a work-item's stretch of a row, the
// populations that move in and out of it, and the partial sums that a launch leaves.
#ifndef BOLTZMARK_OPENCL_ROWS_H
#define BOLTZMARK_OPENCL_ROWS_H

#include "common/lbm/device/layout.h"

#include "cells.h"

#include "opencl/runtime/kernels/reduction.h"

#include "walls.h"

/// The host defines the work-group, GROUP_X x GROUP_Y x GROUP_Z: without it some compilers allow only small groups.
#define STEP_KERNEL kernel __attribute__((reqd_work_group_size(GROUP_X, GROUP_Y, GROUP_Z))) void

#ifndef PITCH /* the host may say it, and then every direction is at a constant distance */
#define PITCH grid.pitch
#endif

/// The row of a work-item; launches have bands of `layer`s.
struct Row {
  int y, z, layer;
  bool is_there; /* the last work-groups may reach beyond the launch's rows */
};

/// The layer of work-item number `item` along the layers.
FN int layer_in(struct Bands bands, int item) {
  return item < bands.south_rows ? bands.south + item : bands.north + (item - bands.south_rows);
}

FN struct Row row_of_item(struct Bands bands, struct Layout grid) {
  const int layers = bands.south_rows + bands.north_rows;
  struct Row row;
#ifdef LATTICE_D3Q19
  row.layer = layer_in(bands, get_global_id(2));
  row.y = get_global_id(1);
  row.z = row.layer;
  row.is_there = row.y < grid.ny && get_global_id(2) < layers;
#else
  row.layer = layer_in(bands, get_global_id(1));
  row.y = row.layer;
  row.z = 0;
  row.is_there = get_global_id(1) < layers;
#endif
  return row;
}

/// Every vector of cells that this work-item updates: VECTORS consecutive ones in its row; none for items outside the
/// grid or the launch.
#if VECTORS == 1  // even a loop with one iteration halves the speed on an NVIDIA GPU
#define EACH_VECTOR(vector, grid, row) \
  const int vector = get_global_id(0); \
  if (vector < grid.vectors && row.is_there)
#else
#define EACH_VECTOR(vector, grid, row) \
  for (int vector = get_global_id(0) * VECTORS, end = end_vector(grid, row); vector < end; ++vector)
FN int end_vector(struct Layout grid, struct Row row) {
  return row.is_there ? min((int)(get_global_id(0) + 1) * VECTORS, grid.vectors) : 0;
}
#endif

/// Whether the body force acts on this row, `driven_row` being the lowest one here of those, or -1. In a strip of rows
/// it may also be in the halo, which is at most as long as the strip, so no row occurs more than three times. A modulo
/// would do the same, but a division takes a third of an update's time.
FN bool is_driven(struct Row row, int driven_row, struct Layout grid) {
#ifndef LATTICE_D3Q19
  if (grid.halo > 0) {  // otherwise 1 % of an update in half storage
    const int above = row.y - driven_row;
    return driven_row >= 0 && (above == 0 || above == grid.period || above == 2 * grid.period);
  }
#endif
  return row.y == driven_row;
}

FN bool is_in_halo(struct Row row, struct Layout grid) {
#ifdef LATTICE_D3Q19
  return row.layer < grid.halo || row.layer >= grid.nz - grid.halo;
#else
  return row.layer < grid.halo || row.layer >= grid.ny - grid.halo;
#endif
}

/// x = 0 in the segment of direction 0.
FN size_t row_start(int y, int z, struct Layout grid) {
  return ((size_t)z * grid.ny + y) * (DIRECTIONS * (size_t)PITCH) + grid.west;
}

FN int one_before(int at, int n) { return at == 0 ? n - 1 : at - 1; }
FN int one_after(int at, int n) { return at == n - 1 ? 0 : at + 1; }

/// The rows with which a row exchanges populations, and itself: at[1 + cz][1 + cy] is row_start() of (y + cy, z + cz).
struct Rows {
  size_t at[3][3];
};

FN struct Rows rows_round(struct Row row, struct Layout grid) {
  const int y[3] = {one_before(row.y, grid.ny), row.y, one_after(row.y, grid.ny)};
  struct Rows rows;
#ifdef LATTICE_D3Q19
  const int z[3] = {one_before(row.z, grid.nz), row.z, one_after(row.z, grid.nz)};
#else
  const int z[3] = {0, 0, 0};
#endif
  UNROLLED for (int c = 0; c < 3; ++c) UNROLLED for (int b = 0; b < 3; ++b) rows.at[c][b] = row_start(y[b], z[c], grid);
  return rows;
}

/// True in solid cells, and in lanes beyond the row's end.
FN MASK solid_lanes(global const uint* solid_bits, int x, struct Row row, struct Layout grid) {
  const size_t number = (size_t)row.z * grid.ny + row.y;
  return mask_from_bits(solid_bits[number * grid.mask_words + (x >> 5)] >> (x & 31));
}

#ifndef STORE_HERE /* where a vector of the grid begins */
#define STORE_HERE STORE
#endif
#ifndef LOAD_HERE
#define LOAD_HERE LOAD
#endif

/// Stores one direction's values of cells x .., only in lanes that are cells, because another work-item owns the
/// following places.
FN void store_up_to(int cells, REAL value, global STORED* to) {
#if LANES > 1
  if (cells < LANES) {
    STORED lanes[LANES];
    STORE_IN(private, value, lanes);
    for (int lane = 0; lane < cells; ++lane) to[lane] = lanes[lane];
    return;
  }
#endif
  STORE_HERE(value, to);
}

/// Values of one direction in the cells one further west than x .. , or one further east, in a row without ghosts:
/// the row's last cell is west of its first. `row`: x = 0.
FN REAL load_from_west(global const STORED* row, int x, int nx) {
#if LANES == 1
  return LOAD(row + (x == 0 ? nx - 1 : x - 1));
#elif LANES == 2 && defined HALF_STORAGE  // a pair at an odd place takes two loads anyway
  return VECTOR(REAL)(LOAD_ONE(row + (x == 0 ? nx - 1 : x - 1)), LOAD_ONE(row + x));
#else
  const REAL value = LOAD(row + x - 1);
  return x == 0 ? choose(mask_from_bits(1), VECTOR(REAL)(LOAD_ONE(row + nx - 1)), value) : value;
#endif
}

FN REAL load_from_east(global const STORED* row, int x, int nx) {
#if LANES == 1
  return LOAD(row + (x == nx - 1 ? 0 : x + 1));
#elif LANES == 2 && defined HALF_STORAGE
  return VECTOR(REAL)(LOAD_ONE(row + (x + 1 < nx ? x + 1 : 0)), LOAD_ONE(row + (x + 2 < nx ? x + 2 : 0)));
#else
  const REAL value = LOAD(row + x + 1);
  return nx - x <= LANES ? choose(mask_from_bits(1u << (nx - x - 1)), VECTOR(REAL)(LOAD_ONE(row)), value) : value;
#endif
}

/// The populations moving along x by `cx` into the cells x .. of a row.
FN REAL load_moving(global const STORED* row, int cx, int x, int nx) {
#ifdef GHOSTS
  return LOAD(row + x - cx);
#else
  return cx == 0 ? LOAD_HERE(row + x) : cx > 0 ? load_from_west(row, x, nx) : load_from_east(row, x, nx);
#endif
}

/// Stores cells x .. of a row; `row` is its x = 0.
FN void store_cells(struct Populations a, global STORED* row, int x, struct Layout grid) {
#ifdef GHOSTS  // the items at the two ends of the row also store those that copy their cells
  const int cells = grid.nx - x;
  UNROLLED for (int i = 0; i < DIRECTIONS; ++i) {
    global STORED* const segment = row + i * PITCH;
    if (lattice_cx[i] < 0)
      store_up_to(cells, a.f[i], segment + x);
    else
      STORE_HERE(a.f[i], segment + x);
  }
  UNROLLED for (int i = 0; i < DIRECTIONS; ++i) {
    global STORED* const segment = row + i * PITCH;
    if (lattice_cx[i] < 0 && x == 0) segment[grid.nx] = segment[0];
    if (lattice_cx[i] > 0 && cells <= LANES) segment[-1] = segment[grid.nx - 1];
  }
#else
  UNROLLED for (int i = 0; i < DIRECTIONS; ++i) STORE_HERE(a.f[i], row + i * PITCH + x);
#endif
}

/// The body force of the first step on row y of every layer of z, in the standard order; later ones are part of the
/// step before. Global size: at least grid.vectors, and grid.nz.
kernel void accelerate_start(int y, global const uint* restrict solid_bits, struct Layout grid, struct Relaxation c,
                             global STORED* restrict populations) {
  const int vector = get_global_id(0), x = vector * LANES;
  const struct Row row = {.y = y, .z = get_global_id(1)};
  if (vector >= grid.vectors) return;
  global STORED* const start = populations + row_start(row.y, row.z, grid);
  struct Populations a;
  UNROLLED for (int i = 0; i < DIRECTIONS; ++i) a.f[i] = LOAD(start + i * PITCH + x);
  store_cells(accelerate(a, solid_lanes(solid_bits, x, row, grid) == 0, c), start, x, grid);
}

/// partial_sums[first_sum + number of this work-group] = the sum of its work-items' `speeds`, in `unit`s.
FN void leave_sum(REAL speeds, SCALAR unit, global SCALAR* partial_sums, int first_sum, local SCALAR* scratch) {
  const SCALAR sum = work_group_sum(sum_of_lanes(speeds), scratch);
  if (item_number() == 0) partial_sums[first_sum + group_number()] = sum * unit;
}

#endif
