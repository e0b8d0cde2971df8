// Rows of planes (D3Q19) that one work-item of a processor updates in place, vector after vector: layout and access
// pattern of common/lbm/cpu/in_place_planes.hpp and plane_row_update.hpp, for OpenCL C.
//
//   one row:     | vector 0 | vector 1 | ... | vector n-1 | padding |
//   one vector:  | f0 of LANES cells | f1 of the same cells | ... | f18 |
//   its cells:   columns i, n+i, 2n+i ... for vector i of n
//
// So a vector's neighbours along the row are the next vectors, lane for lane. Past the ends of a row, lane i continues
// in lane i+1: west of the first vector is the last one, rotated by one lane. Nineteen vectors and what is made of them
// are more than there are registers, so populations are read twice, first for the moments, and written pair by pair.
//
// The host defines NX and ROW_VECTORS (n).
#ifndef BOLTZMARK_OPENCL_LANE_PLANES_H
#define BOLTZMARK_OPENCL_LANE_PLANES_H

#include "lanes.h"

#ifdef __x86_64__
/// The compiler keeps nothing of memory that it has read before, and makes no address of its own for each of nineteen
/// places.
#define READ_AGAIN(offset) __asm__ volatile("" : "+r"(offset) : : "memory")
#else
#define READ_AGAIN(offset)
#endif

/// At which ends of its row a vector is.
enum { AT_NONE = 0, AT_WEST = 1, AT_EAST = 2, AT_BOTH = AT_WEST | AT_EAST };

/// Row y-1, y, y+1 of plane z-1, then of plane z, then of plane z+1.
struct PlaneRows {
  global REAL* at[9];
};

/// What is prefetched during the update of a row: the same places so many bytes further on, and lines that a later
/// plane needs.
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

/// Where population i arrives from, and its opposite goes: in the cells themselves or in the neighbours. `offset`: of
/// the vector in its row, in bytes.
FN global REAL* plane_place(struct PlaneRows rows, long offset, int i, bool is_local, int edge) {
  const int row = is_local ? 4 : 3 * (1 - lattice_cz[i]) + 1 - lattice_cy[i];
  return (global REAL*)((global char*)rows.at[row] + offset) +
         (is_local ? OPPOSITE(i) : i - steps_west(i, is_local, edge) * DIRECTIONS);
}

FN bool is_turned_up(int i, bool is_local, int edge) { return !is_local && lattice_cx[i] > 0 && (edge & AT_WEST) != 0; }
FN bool is_turned_down(int i, bool is_local, int edge) {
  return !is_local && lattice_cx[i] < 0 && (edge & AT_EAST) != 0;
}

FN REAL arrived_in(struct PlaneRows rows, long offset, int i, bool is_local, int edge) {
  const REAL value = *plane_place(rows, offset, i, is_local, edge);
  if (is_turned_up(i, is_local, edge)) return ONE_LANE_UP(value);
  if (is_turned_down(i, is_local, edge)) return ONE_LANE_DOWN(value);
  return value;
}

/// Puts what leaves against direction i where population i has arrived from.
FN void leave_in(struct PlaneRows rows, long offset, int i, bool is_local, int edge, REAL value) {
  if (is_turned_up(i, is_local, edge))
    value = ONE_LANE_DOWN(value);
  else if (is_turned_down(i, is_local, edge))
    value = ONE_LANE_UP(value);
  *plane_place(rows, offset, i, is_local, edge) = value;
}

#define ARRIVED(i) arrived_in(rows, offset, i, is_local, edge)

/// As moments_of(), with few values in registers at a time.
FN struct Moments moments_in(struct PlaneRows rows, long offset, bool is_local, int edge, struct Relaxation c) {
  const struct Diagonals xy = diagonals_of(ARRIVED(7), ARRIVED(8), ARRIVED(9), ARRIVED(10));
  const struct Diagonals xz = diagonals_of(ARRIVED(11), ARRIVED(12), ARRIVED(13), ARRIVED(14));
  const struct Diagonals yz = diagonals_of(ARRIVED(15), ARRIVED(16), ARRIVED(17), ARRIVED(18));
  const REAL east = ARRIVED(1), west = ARRIVED(2), north = ARRIVED(3), south = ARRIVED(4), top = ARRIVED(5),
             bottom = ARRIVED(6);
  const REAL on_axes = ((east + west) + (north + south)) + ((top + bottom) + ARRIVED(0));
  return moments_from(xy, xz, yz, on_axes, east - west, north - south, top - bottom, c);
}

/// update_cell() of cell.h without body force, pair by pair. is_mixed: some cells may be solid.
FN void finish_in(struct PlaneRows rows, long offset, struct Moments m, uint solid_bits, bool is_mixed, bool is_local,
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

/// The second half of a vector's update interleaved with the first half of the next one's, and prefetches.
FN void advance_in(struct PlaneRows rows, long* at, struct Moments* m, struct Ahead* ahead, uint solid_bits,
                   bool is_mixed, bool is_local, int edge, int next_edge, struct Relaxation c, REAL* speeds) {
  long offset = *at;
  UNROLLED for (int i = 0; i < DIRECTIONS; ++i)
      FETCH((global char*)plane_place(rows, offset, i, is_local, AT_NONE) + ahead->soon);
  for (int line = 0; line < ahead->far_lines; ++line, ahead->far += 64) FETCH(ahead->far);
  const struct Moments next = moments_in(rows, offset + (long)(DIRECTIONS * sizeof(REAL)), is_local, next_edge, c);
  READ_AGAIN(offset);
  finish_in(rows, offset, *m, solid_bits, is_mixed, is_local, edge, c, speeds);
  *m = next;
  offset += DIRECTIONS * sizeof(REAL);
  READ_AGAIN(offset);
  *at = offset;
}

#undef ARRIVED

/// The body force of the next step, on what a step has left of a row.
FN void push_plane_row(struct PlaneRows rows, global const uint* solid, bool is_local, struct Relaxation c) {
  long offset = 0;
  for (int vector = 0; vector < ROW_VECTORS; ++vector, offset += DIRECTIONS * sizeof(REAL)) {
    const int edge = (vector == 0 ? AT_WEST : AT_NONE) | (vector == ROW_VECTORS - 1 ? AT_EAST : AT_NONE);
    struct Populations a;
    UNROLLED for (int i = 0; i < DIRECTIONS; ++i) a.f[OPPOSITE(i)] = arrived_in(rows, offset, i, is_local, edge);
    a = accelerate(a, inverse(mask_from_bits(solid[vector])), c);
    UNROLLED for (int i = 0; i < DIRECTIONS; ++i) leave_in(rows, offset, i, is_local, edge, a.f[OPPOSITE(i)]);
  }
}

FN void turn_columns(struct PlaneRows rows, bool is_back) {
  UNROLLED for (int i = 1; i < DIRECTIONS; ++i)
      turn_column(rows.at[3 * (1 - lattice_cz[i]) + 1 - lattice_cy[i]], i, is_back);
}

/// A time step of a row; *total grows by the sum of |u|. is_local is a constant.
FN void update_plane_row(struct PlaneRows rows, struct SolidCells solid, struct Ahead ahead, bool is_local,
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
  if (is_driven) push_plane_row(rows, solid.bits, is_local, c);
  if (!is_local) turn_columns(rows, true);
}

#endif
