// Strip: a work-item has ROWS rows of LANES columns and goes down them ROWS_AT_ONCE at a time. It loads all their
// inputs before it uses any, so that many loads are in flight, and reads each value only once as a neighbour above or
// below: the last two rows stay in registers for the next ones.
//
//     for my rows, ROWS_AT_ONCE at a time   read down to the row below them, and their sides
//                                           for each   next = 0.2 (...);   changes += |next - centre|
#include "plate.h"

ADVANCE_KERNEL {
  const int x = get_global_id(0) * LANES, down = get_global_id(1);
  const int first = FIRST_ROW(down), end = END_ROW(down);
  REAL changes = 0;
  if (x < WIDTH && first < end) {
    const MASK inside = lanes_inside(x);
    REAL row[ROWS_AT_ONCE + 2];  // from the one above on
    SIDE west[ROWS_AT_ONCE], east[ROWS_AT_ONCE];
    row[0] = CONST_VECTOR_AT(from, first - 1, x);
    row[1] = CONST_VECTOR_AT(from, first, x);
    for (int done = 0; done < ROWS && first + done < end; done += ROWS_AT_ONCE) {
      const int y = first + done;
      UNROLLED for (int r = 0; r < ROWS_AT_ONCE; ++r) row[r + 2] = CONST_VECTOR_AT(from, min(y + r + 1, HEIGHT), x);
      UNROLLED for (int r = 0; r < ROWS_AT_ONCE; ++r) {
        west[r] = WEST_SIDE(from, min(y + r, HEIGHT), x);
        east[r] = EAST_SIDE(from, min(y + r, HEIGHT), x);
      }
      UNROLLED for (int r = 0; r < ROWS_AT_ONCE; ++r) if (done + r < ROWS && y + r < end) {
        const REAL next = STEP_OF_VECTOR(row[r + 1], row[r], row[r + 2], west[r], east[r], inside);
        VECTOR_AT(to, y + r, x) = next;
        if (COUNTS(y + r)) changes += fabs(next - row[r + 1]);
      }
      row[0] = row[ROWS_AT_ONCE];
      row[1] = row[ROWS_AT_ONCE + 1];
    }
  }
  leave_change(sum_of_lanes(changes), partial_sums, first_sum, scratch);
}
