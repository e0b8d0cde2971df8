// One work-item of a processor walks along rows, vector by vector, four rows at a time: their values serve as each
// other's neighbours, and a core waits less for memory that it reads in several places.
#ifndef BOLTZMARK_HEAT_WALK_H
#define BOLTZMARK_HEAT_WALK_H
#include "plate.h"

#define AT_ONCE 4

FN REAL step_of_rows(global const SCALAR* restrict from, global SCALAR* restrict to, int first, int rows, int x,
                     MASK inside) {
  REAL changes = 0, north = CONST_VECTOR_AT(from, first - 1, x), centre = CONST_VECTOR_AT(from, first, x);
  UNROLLED for (int y = first; y < first + rows; ++y) {
    const REAL south = CONST_VECTOR_AT(from, y + 1, x);
    const REAL next = STEP_OF_VECTOR(centre, north, south, WEST_SIDE(from, y, x), EAST_SIDE(from, y, x), inside);
    VECTOR_AT(to, y, x) = next;
    changes += fabs(next - centre);
    north = centre;
    centre = south;
  }
  return changes;
}

FN SCALAR walk_along(global const SCALAR* restrict from, global SCALAR* restrict to, int first, int rows) {
  const MASK all_inside = lanes_inside(0);
  REAL changes = 0;
  int x = 0;
  for (; x + LANES <= WIDTH; x += LANES) changes += step_of_rows(from, to, first, rows, x, all_inside);
  if (x < WIDTH) changes += step_of_rows(from, to, first, rows, x, lanes_inside(x));
  return sum_of_lanes(changes);
}

/// Advances rows first .. end - 1 by a step; returns the sum of their changes.
FN SCALAR walk(global const SCALAR* restrict from, global SCALAR* restrict to, int first, int end) {
  SCALAR sum = 0;
  int y = first;
  for (; y + AT_ONCE <= end; y += AT_ONCE) sum += walk_along(from, to, y, AT_ONCE);
  for (; y < end; ++y) sum += walk_along(from, to, y, 1);
  return sum;
}

#endif
