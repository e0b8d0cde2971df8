// What rows of vectors have in common whose cells are spread over the lanes (bands.cl, plane_bands.cl): columns i,
// n+i, 2n+i ... of a row are the lanes of vector i of n.
//
// The host defines NX and ROW_VECTORS (n).
#ifndef BOLTZMARK_OPENCL_LANES_H
#define BOLTZMARK_OPENCL_LANES_H

#include "cells.h"

#define MOST_SPEEDS_A_LANE 64 /* as common/lbm/cell.h says */

#if LANES == 16
#define ONE_LANE_UP(v) (v).sf0123456789abcde
#define ONE_LANE_DOWN(v) (v).s123456789abcdef0
#elif LANES == 8
#define ONE_LANE_UP(v) (v).s70123456
#define ONE_LANE_DOWN(v) (v).s12345670
#elif LANES == 4
#define ONE_LANE_UP(v) (v).s3012
#define ONE_LANE_DOWN(v) (v).s1230
#elif LANES == 2
#define ONE_LANE_UP(v) (v).s10
#define ONE_LANE_DOWN(v) (v).s10
#else
#define ONE_LANE_UP(v) (v)
#define ONE_LANE_DOWN(v) (v)
#endif

/// A sum of many terms; what rounding loses of it is kept (Kahan).
struct LongSum {
  SCALAR sum, lost;
};

FN void add_to(struct LongSum* total, SCALAR value) {
  const SCALAR term = value - total->lost, next = total->sum + term;
  total->lost = (next - total->sum) - term;
  total->sum = next;
}

/// Population i of column x of a row.
FN global SCALAR* value_place(global REAL* row, int i, int x) {
  return (global SCALAR*)(row + (x % ROW_VECTORS) * DIRECTIONS + i) + x / ROW_VECTORS;
}

/// A lane's sum of speeds, of all vectors before `vector`, goes to the total before it is too long.
FN void keep_short(int vector, REAL* speeds, struct LongSum* total) {
  if (ROW_VECTORS <= MOST_SPEEDS_A_LANE || vector % MOST_SPEEDS_A_LANE != 0) return;
  add_to(total, sum_of_lanes(*speeds));
  *speeds = 0;
}

/// Where the width is no multiple of LANES: brings the boundary column of a row that population i leaves to where a
/// neighbour step looks for it, or back.
FN void turn_column(global REAL* row, int i, bool is_back) {
#if NX % LANES != 0
  if (lattice_cx[i] == 0) return;
  global SCALAR* const boundary = value_place(row, i, lattice_cx[i] > 0 ? NX - 1 : 0);
  global SCALAR* const ghost = value_place(row, i, lattice_cx[i] > 0 ? ROW_VECTORS * LANES - 1 : NX);
  if (is_back)
    *boundary = *ghost;
  else
    *ghost = *boundary;
#endif
}

/// A row's solid cells.
struct SolidCells {
  global const uint* bits;     /* one word per vector: bit l = lane l is solid */
  global const int* stretches; /* vectors up to [0] have none, those up to [1] may, up to [2] have none, and so on */
};

#endif
