// Strip: a work-item marches down ROWS rows of LANES columns, with the rows above, at and below it in registers: each value
// is read once as a neighbour above or below.
//
//     for my rows   next = 0.2 (...);   changes += |next - centre|;   north, centre, south one row on
#include "plate.h"

/// `scratch`: one value per work-item.
HEAT_KERNEL advance(int first_sum, global const SCALAR* restrict from, global SCALAR* restrict to,
                    global SCALAR* restrict partial_sums, LOCAL_PARAMETER(SCALAR) scratch) {
  const int x = get_global_id(0) * LANES, first = get_global_id(1) * ROWS, end = min(first + ROWS, HEIGHT);
  REAL changes = 0;
  if (x < WIDTH && first < HEIGHT) {
    const MASK inside = lanes_inside(x);
    REAL north = CONST_VECTOR_AT(from, first - 1, x), centre = CONST_VECTOR_AT(from, first, x);
#if LANES <= 4  // on a GPU, where several reads are to be under way
#pragma unroll 4
#endif
    for (int y = first; y < end; ++y) {
      const REAL south = CONST_VECTOR_AT(from, y + 1, x);
      const REAL next = STEP_OF_VECTOR(from, y, x, centre, north, south, inside);
      VECTOR_AT(to, y, x) = next;
      changes += fabs(next - centre);
      north = centre;
      centre = south;
    }
  }
  const SCALAR sum = work_group_sum(sum_of_lanes(changes), scratch);
  if (item_number() == 0) partial_sums[first_sum + group_number()] = sum;
}
