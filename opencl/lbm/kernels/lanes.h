// Rows that one work-item of a processor updates in place, vector after vector (bands.cl, plane_bands.cl): layout and
// access pattern of common/lbm/cpu/in_place_grid.hpp, row_update.hpp and plane_row_update.hpp, for OpenCL C.
//
//   one row:     | vector 0 | vector 1 | ... | vector n-1 | padding |
//   one vector:  | f0 of LANES cells | f1 of the same cells | ... | f8 |        f18 in three dimensions
//   its cells:   columns i, n+i, 2n+i ... for vector i of n
//
// So a vector's neighbours along the row are the next vectors, lane for lane, and every access is one aligned vector.
// Past the ends of a row, lane i continues in lane i+1: west of the first vector is the last one, rotated by one lane.
// If the width is not a multiple of LANES, the last columns of the last lanes are padding, which counts as solid and
// holds copies of the periodic neighbours. The moments of a vector are computed with the results of the one before it,
// and its populations are read again for its own results, because there are no registers to keep them. In three
// dimensions nineteen vectors and their results exceed the registers, so they are written pair by pair.
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

/// A compensated sum of many terms (Kahan).
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

/// Adds a lane's sum of speeds, of all vectors before `vector`, to the total before it becomes too long.
FN void keep_short(int vector, REAL* speeds, struct LongSum* total) {
  if (ROW_VECTORS <= MOST_SPEEDS_A_LANE || vector % MOST_SPEEDS_A_LANE != 0) return;
  add_to(total, sum_of_lanes(*speeds));
  *speeds = 0;
}

/// If the width is not a multiple of LANES: copies the boundary column of a row that population i leaves to the place
/// where a neighbour step reads it, or back.
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

#if defined __x86_64__ && defined LATTICE_D3Q19
/// Makes the compiler forget values that it has read, and keeps it from making a separate address for each of nineteen
/// places.
#define READ_AGAIN(offset) __asm__ volatile("" : "+r"(offset) : : "memory")
#else
#define READ_AGAIN(offset)
#endif

/// The ends of its row at which a vector is.
enum { AT_NONE = 0, AT_WEST = 1, AT_EAST = 2, AT_BOTH = AT_WEST | AT_EAST };

/// Row y-1, y, y+1; in three dimensions of plane z-1, then of plane z, then of plane z+1.
#ifdef LATTICE_D3Q19
#define ROWS_ROUND 9
#define SOURCE_ROW(i) (3 * (1 - lattice_cz[i]) + 1 - lattice_cy[i]) /* that population i comes from */
#else
#define ROWS_ROUND 3
#define SOURCE_ROW(i) (1 - lattice_cy[i])
#endif
struct LaneRows {
  global REAL* at[ROWS_ROUND];
};

/// Prefetches during a row's update, only in three dimensions: the same places this many bytes further on, and lines
/// for a later plane.
struct Ahead {
  long soon;
  global const char* far;
  int far_lines; /* for every vector */
};

/// Vectors from population i's place in the same vector of its row; is_local: of the cells themselves.
FN int steps_west(int i, bool is_local, int edge) {
  if (is_local || lattice_cx[i] == 0) return 0;
  if (lattice_cx[i] > 0) return edge & AT_WEST ? 1 - ROW_VECTORS : 1;
  return edge & AT_EAST ? ROW_VECTORS - 1 : -1;
}

/// Place from which population i arrives, and to which its opposite goes. `offset`: bytes from the row's start to the
/// vector.
FN global REAL* lane_place(struct LaneRows rows, long offset, int i, bool is_local, int edge) {
  const int row = is_local ? ROWS_ROUND / 2 : SOURCE_ROW(i);
  return (global REAL*)((global char*)rows.at[row] + offset) +
         (is_local ? OPPOSITE(i) : i - steps_west(i, is_local, edge) * DIRECTIONS);
}

FN bool is_turned_up(int i, bool is_local, int edge) { return !is_local && lattice_cx[i] > 0 && (edge & AT_WEST) != 0; }
FN bool is_turned_down(int i, bool is_local, int edge) {
  return !is_local && lattice_cx[i] < 0 && (edge & AT_EAST) != 0;
}

FN REAL arrived_in(struct LaneRows rows, long offset, int i, bool is_local, int edge) {
  const REAL value = *lane_place(rows, offset, i, is_local, edge);
  if (is_turned_up(i, is_local, edge)) return ONE_LANE_UP(value);
  if (is_turned_down(i, is_local, edge)) return ONE_LANE_DOWN(value);
  return value;
}

/// Stores the population leaving against direction i in the place from which population i arrived.
FN void leave_in(struct LaneRows rows, long offset, int i, bool is_local, int edge, REAL value) {
  if (is_turned_up(i, is_local, edge))
    value = ONE_LANE_DOWN(value);
  else if (is_turned_down(i, is_local, edge))
    value = ONE_LANE_UP(value);
  *lane_place(rows, offset, i, is_local, edge) = value;
}

#define ARRIVED(i) arrived_in(rows, offset, i, is_local, edge)

#ifdef LATTICE_D3Q19

/// As moments_of(), with few values in registers at a time.
FN struct Moments moments_in(struct LaneRows rows, long offset, bool is_local, int edge, struct Relaxation c) {
  const struct Diagonals xy = diagonals_of(ARRIVED(7), ARRIVED(8), ARRIVED(9), ARRIVED(10));
  const struct Diagonals xz = diagonals_of(ARRIVED(11), ARRIVED(12), ARRIVED(13), ARRIVED(14));
  const struct Diagonals yz = diagonals_of(ARRIVED(15), ARRIVED(16), ARRIVED(17), ARRIVED(18));
  const REAL east = ARRIVED(1), west = ARRIVED(2), north = ARRIVED(3), south = ARRIVED(4), top = ARRIVED(5),
             bottom = ARRIVED(6);
  const REAL on_axes = ((east + west) + (north + south)) + ((top + bottom) + ARRIVED(0));
  return moments_from(xy, xz, yz, on_axes, east - west, north - south, top - bottom, c);
}

/// update_cell() of cell.h without body force, pair by pair. is_mixed: some cells may be solid.
FN void finish_in(struct LaneRows rows, long offset, struct Moments m, uint solid_bits, bool is_mixed, bool is_local,
                  int edge, struct Relaxation c, REAL* speeds) {
  const MASK solid = mask_from_bits(is_mixed ? solid_bits : 0);
  const struct Shared shared = shared_of(m, c);
  const REAL speed = scaled_speed_of(m);
  *speeds += is_mixed ? choose(solid, speed - speed, speed) : speed;
  const REAL rest = ARRIVED(0), kept = multiply_add(rest, c.keep, shared.rest);
  leave_in(rows, offset, 0, is_local, edge, is_mixed ? choose(solid, rest, kept) : kept);
  UNROLLED for (int pair = 0; pair < DIRECTIONS / 2; ++pair) {
    const int forth = 2 * pair + 1, back = forth + 1;
    const REAL a = ARRIVED(forth), b = ARRIVED(back);
    REAL to_forth, to_back;
    relax(pair, m, shared, c, &to_forth, &to_back);
    to_forth = multiply_add(a, c.keep, to_forth);
    to_back = multiply_add(b, c.keep, to_back);
    leave_in(rows, offset, back, is_local, edge, is_mixed ? choose(solid, b, to_forth) : to_forth);
    leave_in(rows, offset, forth, is_local, edge, is_mixed ? choose(solid, a, to_back) : to_back);
  }
}

#else

FN struct Populations arrived_of(struct LaneRows rows, long offset, bool is_local, int edge) {
  struct Populations a;
  UNROLLED for (int i = 0; i < DIRECTIONS; ++i) a.f[i] = ARRIVED(i);
  return a;
}

FN struct Moments moments_in(struct LaneRows rows, long offset, bool is_local, int edge, struct Relaxation c) {
  return moments_of(arrived_of(rows, offset, is_local, edge), c);
}

FN void finish_in(struct LaneRows rows, long offset, struct Moments m, uint solid_bits, bool is_mixed, bool is_local,
                  int edge, struct Relaxation c, REAL* speeds) {
  const struct Populations out = update_cell(arrived_of(rows, offset, is_local, edge), m, mask_from_bits(solid_bits),
                                             is_mixed && solid_bits != 0, false, c, speeds);
  UNROLLED for (int i = 0; i < DIRECTIONS; ++i) leave_in(rows, offset, i, is_local, edge, out.f[OPPOSITE(i)]);
}

#endif

/// The second half of a vector's update interleaved with the first half of the next one's, and prefetches.
FN void advance_in(struct LaneRows rows, long* at, struct Moments* m, struct Ahead* ahead, uint solid_bits,
                   bool is_mixed, bool is_local, int edge, int next_edge, struct Relaxation c, REAL* speeds) {
  long offset = *at;
#ifdef LATTICE_D3Q19
  UNROLLED for (int i = 0; i < DIRECTIONS; ++i)
      FETCH((global char*)lane_place(rows, offset, i, is_local, AT_NONE) + ahead->soon);
  for (int line = 0; line < ahead->far_lines; ++line, ahead->far += 64) FETCH(ahead->far);
#endif
  const struct Moments next = moments_in(rows, offset + (long)(DIRECTIONS * sizeof(REAL)), is_local, next_edge, c);
  READ_AGAIN(offset);
  finish_in(rows, offset, *m, solid_bits, is_mixed, is_local, edge, c, speeds);
  *m = next;
  offset += DIRECTIONS * sizeof(REAL);
  READ_AGAIN(offset);
  *at = offset;
}

#undef ARRIVED

/// The body force of the next step, on the results of a step for a row.
FN void push_row(struct LaneRows rows, global const uint* solid, bool is_local, struct Relaxation c) {
  long offset = 0;
  for (int vector = 0; vector < ROW_VECTORS; ++vector, offset += DIRECTIONS * sizeof(REAL)) {
    const int edge = (vector == 0 ? AT_WEST : AT_NONE) | (vector == ROW_VECTORS - 1 ? AT_EAST : AT_NONE);
    struct Populations a;
    UNROLLED for (int i = 0; i < DIRECTIONS; ++i) a.f[OPPOSITE(i)] = arrived_in(rows, offset, i, is_local, edge);
    a = accelerate(a, inverse(mask_from_bits(solid[vector])), c);
    UNROLLED for (int i = 0; i < DIRECTIONS; ++i) leave_in(rows, offset, i, is_local, edge, a.f[OPPOSITE(i)]);
  }
}

FN void turn_columns(struct LaneRows rows, bool is_back) {
  UNROLLED for (int i = 1; i < DIRECTIONS; ++i) turn_column(rows.at[SOURCE_ROW(i)], i, is_back);
}

/// A time step of a row; *total grows by the sum of |u|. is_local is a constant.
FN void update_lane_row(struct LaneRows rows, struct SolidCells solid, struct Ahead ahead, bool is_local,
                        bool is_driven, struct Relaxation c, struct LongSum* total) {
  if (!is_local) turn_columns(rows, false);
  const int west = is_local ? AT_NONE : AT_WEST, east = is_local ? AT_NONE : AT_EAST;
  REAL speeds = 0;
  long at = 0;
#if ROW_VECTORS == 1
  const struct Moments m = moments_in(rows, at, is_local, is_local ? AT_NONE : AT_BOTH, c);
  READ_AGAIN(at);
  finish_in(rows, at, m, solid.bits[0], true, is_local, is_local ? AT_NONE : AT_BOTH, c, &speeds);
#else
  struct Moments m = moments_in(rows, at, is_local, west, c);
#if ROW_VECTORS == 2
  advance_in(rows, &at, &m, &ahead, solid.bits[0], true, is_local, west, east, c, &speeds);
#else
  int vector = is_local ? 0 : 1;
  const int last = is_local ? ROW_VECTORS - 1 : ROW_VECTORS - 2;
  if (!is_local) advance_in(rows, &at, &m, &ahead, solid.bits[0], true, is_local, west, AT_NONE, c, &speeds);
  for (global const int* stretch = solid.stretches; vector < last; stretch += 2) {
    for (const int end = min(last, stretch[0]); vector < end; ++vector, keep_short(vector, &speeds, total))
      advance_in(rows, &at, &m, &ahead, 0, false, is_local, AT_NONE, AT_NONE, c, &speeds);
    for (const int end = min(last, stretch[1]); vector < end; ++vector, keep_short(vector, &speeds, total))
      advance_in(rows, &at, &m, &ahead, solid.bits[vector], true, is_local, AT_NONE, AT_NONE, c, &speeds);
  }
  if (!is_local)
    advance_in(rows, &at, &m, &ahead, solid.bits[ROW_VECTORS - 2], true, is_local, AT_NONE, east, c, &speeds);
#endif
  finish_in(rows, at, m, solid.bits[ROW_VECTORS - 1], true, is_local, east, c, &speeds);
#endif
  add_to(total, sum_of_lanes(speeds));
  if (is_driven) push_row(rows, solid.bits, is_local, c);
  if (!is_local) turn_columns(rows, true);
}

#endif
