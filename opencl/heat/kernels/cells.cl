// Cells: a work-item updates a cell, and its group adds up their changes.
//
//     next = 0.2 (centre + north + south + west + east);   partial sum of my group = sum of |next - centre|
#include "plate.h"

ADVANCE_KERNEL {
  const int x = get_global_id(0), y = get_global_id(1);
  SCALAR change = 0;
  if (IS_INSIDE(y, x)) {
    const SCALAR next = step_of_cell(from, y, x);
    change = fabs(next - AT(from, y, x));
    AT(to, y, x) = next;
  }
  leave_change(change, partial_sums, first_sum, scratch);
}
