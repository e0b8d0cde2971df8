// Rows that one work-item of a processor updates in place, vector after vector: layout and access pattern of
// common/lbm/cpu/in_place_strip.hpp and row_update.hpp, for OpenCL C.
//
//   one row:     | ghost vector | vector 0 | vector 1 | ... | vector n-1 | ghost vector | padding |
//   one vector:  | f0 of LANES cells | f1 of the same cells | ... | f8 |
//   its cells:   columns i, n+i, 2n+i ... for vector i of n
//
// So a vector's neighbours along the row are the next vectors, lane for lane, and every access is one aligned vector.
// Past the ends of a row, lane i continues in lane i+1; ghost vectors hold the row's end rotated by one lane: a
// neighbour step fills them first and copies back what was left in them. Where the width is no multiple of LANES the
// last columns of the last lanes are padding, which counts as solid and holds copies of the periodic neighbours.
//
// The host defines NX, ROW_VECTORS (n) and ROW_PITCH (values from row to row).
#ifndef BOLTZMARK_OPENCL_LANE_ROWS_H
#define BOLTZMARK_OPENCL_LANE_ROWS_H

#include "lanes.h"

/// A vector of a row and those in the same columns of the rows south and north of it.
struct LanePlaces {
  global REAL *south, *here, *north;
};

FN struct LanePlaces next_places(struct LanePlaces at) {
  return STRUCT(LanePlaces){at.south + DIRECTIONS, at.here + DIRECTIONS, at.north + DIRECTIONS};
}

/// Where population i arrives from, and its opposite goes. is_local: in the cells themselves; else in the neighbours.
FN global REAL* lane_place(struct LanePlaces at, int i, bool is_local) {
  if (is_local) return at.here + OPPOSITE(i);
  return (lattice_cy[i] > 0 ? at.south : lattice_cy[i] < 0 ? at.north : at.here) - lattice_cx[i] * DIRECTIONS + i;
}

FN struct Populations arrived_at(struct LanePlaces at, bool is_local) {
  struct Populations a;
  UNROLLED for (int i = 0; i < DIRECTIONS; ++i) a.f[i] = *lane_place(at, i, is_local);
  return a;
}

/// The second half of a vector's update: its populations are read again, for there are no registers to keep them.
FN void finish_vector(struct LanePlaces at, struct Moments m, uint solid_bits, bool is_local, struct Relaxation c,
                      REAL* speeds) {
  const struct Populations out =
      update_cell(arrived_at(at, is_local), m, mask_from_bits(solid_bits), solid_bits != 0, false, c, speeds);
  UNROLLED for (int i = 0; i < DIRECTIONS; ++i) * lane_place(at, i, is_local) = out.f[OPPOSITE(i)];
}

/// The first half of the next vector's update interleaved with the second half of this one's: a division and long
/// chains of additions hide behind independent work.
FN void advance_vector(struct LanePlaces* at, struct Moments* m, uint solid_bits, bool is_local, struct Relaxation c,
                       REAL* speeds) {
  const struct LanePlaces next = next_places(*at);
  const struct Moments of_next = moments_of(arrived_at(next, is_local), c);
  finish_vector(*at, *m, solid_bits, is_local, c, speeds);
  *m = of_next, *at = next;
}

/// Brings a row's ends to where a neighbour step looks for them, or back. `at`: of the row's first vector.
FN void turn_ends(struct LanePlaces at, bool is_back) {
  global REAL* const rows[3] = {at.south, at.here, at.north};
  if (!is_back) UNROLLED for (int i = 1; i < DIRECTIONS; ++i) turn_column(rows[1 - lattice_cy[i]], i, false);
  UNROLLED for (int i = 1; i < DIRECTIONS; ++i) {
    if (lattice_cx[i] == 0) continue;
    global REAL* const first = rows[1 - lattice_cy[i]] + i;
    global REAL* const last = first + (ROW_VECTORS - 1) * DIRECTIONS;
    global REAL* const end = lattice_cx[i] > 0 ? last : first;
    global REAL* const ghost = lattice_cx[i] > 0 ? first - DIRECTIONS : last + DIRECTIONS;
    if (is_back)
      *end = lattice_cx[i] > 0 ? ONE_LANE_DOWN(*ghost) : ONE_LANE_UP(*ghost);
    else
      *ghost = lattice_cx[i] > 0 ? ONE_LANE_UP(*end) : ONE_LANE_DOWN(*end);
  }
  if (is_back) UNROLLED for (int i = 1; i < DIRECTIONS; ++i) turn_column(rows[1 - lattice_cy[i]], i, true);
}

/// The body force of the next step, on what a step has left of a row.
FN void push_row(struct LanePlaces at, global const uint* solid, bool is_local, struct Relaxation c) {
  for (int vector = 0; vector < ROW_VECTORS; ++vector, at = next_places(at)) {
    struct Populations a;
    UNROLLED for (int i = 0; i < DIRECTIONS; ++i) a.f[OPPOSITE(i)] = *lane_place(at, i, is_local);
    a = accelerate(a, inverse(mask_from_bits(solid[vector])), c);
    UNROLLED for (int i = 0; i < DIRECTIONS; ++i) * lane_place(at, i, is_local) = a.f[OPPOSITE(i)];
  }
}

/// A time step of a row; *total grows by the sum of |u|, in units of speed_unit. `at`: of its first vector. is_local is
/// a constant.
FN void update_lane_row(struct LanePlaces at, struct SolidCells solid, bool is_local, bool is_driven,
                        struct Relaxation c, struct LongSum* total) {
  const struct LanePlaces start = at;
  if (!is_local) turn_ends(start, false);
  REAL speeds = 0;
  struct Moments m = moments_of(arrived_at(at, is_local), c);
  int vector = 0;
  for (global const int* stretch = solid.stretches; vector < ROW_VECTORS - 1; stretch += 2) {
    for (const int end = min(ROW_VECTORS - 1, stretch[0]); vector < end; keep_short(++vector, &speeds, total))
      advance_vector(&at, &m, 0, is_local, c, &speeds);
    for (const int end = min(ROW_VECTORS - 1, stretch[1]); vector < end; keep_short(++vector, &speeds, total))
      advance_vector(&at, &m, solid.bits[vector], is_local, c, &speeds);
  }
  finish_vector(at, m, solid.bits[vector], is_local, c, &speeds);
  add_to(total, sum_of_lanes(speeds));
  if (is_driven) push_row(start, solid.bits, is_local, c);
  if (!is_local) turn_ends(start, true);
}

#endif
