// What the kernels that walk along the rows of layout.h share: places, masks, a work-item's stretch of a row,
// and the partial sums that a launch leaves.
#ifndef BOLTZMARK_OPENCL_ROWS_H
#define BOLTZMARK_OPENCL_ROWS_H

#include "layout.h"

#include "cells.h"

#include "opencl/runtime/kernels/reduction.h"

/// The host defines the work-group, GROUP_X x GROUP_Y: some compilers allow only small groups where they do
/// not know it.
#define STEP_KERNEL kernel __attribute__((reqd_work_group_size(GROUP_X, GROUP_Y, 1))) void

/// Every vector of cells that this work-item updates: VECTORS of them, one behind the other in its row; none
/// for items outside the grid or beyond so many `rows`.
#if VECTORS == 1  // a loop, even of one turn, halves the speed of an NVIDIA GPU
#define EACH_VECTOR(vector, grid, rows) \
  const int vector = get_global_id(0);  \
  if (vector < grid.vectors && get_global_id(1) < rows)
#else
#define EACH_VECTOR(vector, grid, rows) \
  for (int vector = get_global_id(0) * VECTORS, end = end_vector(grid, rows); vector < end; ++vector)
FN int end_vector(struct Layout grid, int rows) {
  return get_global_id(1) < rows ? min((int)(get_global_id(0) + 1) * VECTORS, grid.vectors) : 0;
}
#endif

/// The row of a work-item that is number `item` of those along y.
FN int row_in(struct Bands bands, int item) {
  return item < bands.south_rows ? bands.south + item : bands.north + (item - bands.south_rows);
}

/// Whether row y is the whole grid's row that row `wanted` is too, the lowest one here of those; none is
/// where that is negative. A strip has halo rows of at most its own length, so no row is there more than
/// three times. A remainder would say the same, but a division takes as much as a third of an update.
FN bool is_same_row(int y, int wanted, struct Layout grid) {
  if (grid.halo == 0) return y == wanted;  // more takes 1 % of an update in half storage
  const int above = y - wanted;
  return wanted >= 0 && (above == 0 || above == grid.period || above == 2 * grid.period);
}

/// x = 0 of row y in the segment of direction 0.
FN size_t row_start(int y, struct Layout grid) { return (size_t)y * (9 * (size_t)grid.pitch) + grid.west; }

FN int row_south(int y, struct Layout grid) { return y == 0 ? grid.ny - 1 : y - 1; }
FN int row_north(int y, struct Layout grid) { return y == grid.ny - 1 ? 0 : y + 1; }

/// True in solid cells, and in lanes beyond the row's end.
FN MASK solid_lanes(global const uint* solid_bits, int x, int y, struct Layout grid) {
  return mask_from_bits(solid_bits[(size_t)y * grid.mask_words + (x >> 5)] >> (x & 31));
}

#ifndef STORE_HERE /* where a vector of the grid begins */
#define STORE_HERE STORE
#endif

/// Stores one direction's values of cells x .. where another work-item owns the place behind the row's end:
/// only the lanes that are cells.
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

/// partial_sums[first_sum + number of this work-group] becomes the sum of its work-items' `speeds`, which are in `unit`s.
FN void leave_sum(REAL speeds, SCALAR unit, global SCALAR* partial_sums, int first_sum,
                  local SCALAR* scratch) {
  const SCALAR sum = work_group_sum(sum_of_lanes(speeds), scratch);
  if (get_local_id(0) == 0 && get_local_id(1) == 0)
    partial_sums[first_sum + get_group_id(1) * get_num_groups(0) + get_group_id(0)] = sum * unit;
}

#endif
