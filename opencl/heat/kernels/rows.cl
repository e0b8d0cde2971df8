// Rows: for processors. A work-group is one item, which walks along ROWS rows (walk.h).
//
//     for my rows, four at a time   for all vectors   next = 0.2 (...);   changes += |next - centre|
#include "walk.h"

HEAT_KERNEL advance(int first_sum, global const SCALAR* restrict from, global SCALAR* restrict to,
                    global SCALAR* restrict partial_sums) {
  const int first = get_global_id(0) * ROWS;
  partial_sums[first_sum + get_global_id(0)] = walk(from, to, first, min(first + ROWS, HEIGHT));
}
