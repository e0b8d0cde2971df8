// Rows: for processors. A work-group is one item, which walks along ROWS rows, vector by vector, four rows at a time:
// their values serve as each other's neighbours, and a core waits less for memory that it reads in several places.
//
//     for my rows, four at a time   for all vectors   next = 0.2 (...);   changes += |next - centre|
#include "plate.h"

#define AT_ONCE 4

FN REAL step_of_rows(global const SCALAR* restrict from, global SCALAR* restrict to, int first, int rows, int x,
                     MASK inside) {
  REAL changes = 0, north = CONST_VECTOR_AT(from, first - 1, x), centre = CONST_VECTOR_AT(from, first, x);
  for (int y = first; y < first + rows; ++y) {
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

HEAT_KERNEL advance(int first_sum, global const SCALAR* restrict from, global SCALAR* restrict to,
                    global SCALAR* restrict partial_sums) {
  const int first = get_global_id(0) * ROWS, end = min(first + ROWS, HEIGHT);
  SCALAR sum = 0;
  int y = first;
  for (; y + AT_ONCE <= end; y += AT_ONCE) sum += walk_along(from, to, y, AT_ONCE);
  for (; y < end; ++y) sum += walk_along(from, to, y, 1);
  partial_sums[first_sum + get_global_id(0)] = sum;
}
