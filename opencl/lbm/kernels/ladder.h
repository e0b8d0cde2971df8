// Shared by the steps of the published ladder: places of populations, cells and their neighbours.
//
// The host defines COALESCED if populations are a structure of arrays, with population i of all cells contiguous;
// without it they are an array of structures, with the nine of a cell together.
#ifndef BOLTZMARK_OPENCL_LADDER_H
#define BOLTZMARK_OPENCL_LADDER_H

#include "cells.h"
#include "opencl/runtime/kernels/reduction.h"

/// See rows.h.
#define CELL_KERNEL kernel __attribute__((reqd_work_group_size(GROUP_X, GROUP_Y, 1))) void

/// The cell of a work-item: its first index goes along the rows, so that neighbours read neighbouring memory, or across
/// them with TRANSPOSED, to show the cost.
#ifdef TRANSPOSED
#define COLUMN get_global_id(1)
#define ROW get_global_id(0)
#else
#define COLUMN get_global_id(0)
#define ROW get_global_id(1)
#endif

/// A work-item's cell in a grid of nx x ny, and the number of cells; items beyond the grid end.
#define TAKE_CELL                 \
  const int x = COLUMN, y = ROW;  \
  if (x >= nx || y >= ny) return; \
  const size_t cell = cell_at(x, y, nx), cells = (size_t)nx * ny;

FN size_t cell_at(int x, int y, int nx) { return (size_t)y * nx + x; }

/// Index of population i of a cell in a grid of `cells` cells.
FN size_t index_of(int i, size_t cell, size_t cells) {
#ifdef COALESCED
  return i * cells + cell;
#else
  return cell * 9 + i;
#endif
}

FN struct Populations load_cell(global const SCALAR* populations, size_t cell, size_t cells) {
  struct Populations a;
  UNROLLED for (int i = 0; i < 9; ++i) a.f[i] = populations[index_of(i, cell, cells)];
  return a;
}

FN void store_cell(struct Populations a, global SCALAR* populations, size_t cell, size_t cells) {
  UNROLLED for (int i = 0; i < 9; ++i) populations[index_of(i, cell, cells)] = a.f[i];
}

/// The populations that move into cell (x, y).
FN struct Populations arrivals(global const SCALAR* populations, int x, int y, int nx, int ny) {
  const int columns[3] = {x == 0 ? nx - 1 : x - 1, x, x == nx - 1 ? 0 : x + 1};
  const int rows[3] = {y == 0 ? ny - 1 : y - 1, y, y == ny - 1 ? 0 : y + 1};
  struct Populations a;
  UNROLLED for (int i = 0; i < 9; ++i) {
    const size_t from = cell_at(columns[1 - lattice_cx[i]], rows[1 - lattice_cy[i]], nx);
    a.f[i] = populations[index_of(i, from, (size_t)nx * ny)];
  }
  return a;
}

/// The body force on the driven row. Global size: at least nx.
kernel void accelerate_flow(global SCALAR* restrict populations, global const int* restrict solid, int nx, int ny,
                            struct Relaxation c) {
  const int x = get_global_id(0);
  if (x >= nx) return;
  const size_t cell = cell_at(x, DRIVEN_ROW_OF(ny), nx), cells = (size_t)nx * ny;
  if (solid[cell]) return;
  store_cell(accelerate(load_cell(populations, cell, cells), 1, c), populations, cell, cells);
}

/// Stores the work-group's sum of |u| and its number of fluid cells. `scratch`: two values per work-item.
FN void leave_sums(SCALAR speed, bool is_fluid, global SCALAR* partial_sums, global int* partial_cells,
                   local SCALAR* scratch) {
  const SCALAR sum = work_group_sum(speed, scratch);
  const SCALAR cells = work_group_sum(is_fluid ? 1 : 0, scratch + group_items());
  if (item_number() != 0) return;
  partial_sums[group_number()] = sum;
  partial_cells[group_number()] = (int)cells;
}

#endif
