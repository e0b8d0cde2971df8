// Array: a step in array programming, in which each expression passes over the whole plate.
//
//     work = 0.2 (centre + north + south + west + east)
//     change = |work - centre|;   centre = work
//     delta = sum of change
//
// The published kernels. ROW_AXIS 0, as found: neighbouring work-items are below each other, a row apart in memory.
// ROW_AXIS 1, coalesced: neighbours are contiguous. The sum is done on the host, which reads all changes, or on the
// device: one value per work-item, then a single group (sum_steps).
#include "plate.h"

#define MY_ROW get_global_id(ROW_AXIS)
#define MY_COLUMN get_global_id(1 - ROW_AXIS)

HEAT_KERNEL to_work(global const SCALAR* plate, global SCALAR* work) {
  const int y = MY_ROW, x = MY_COLUMN;
  if (IS_INSIDE(y, x)) AT(work, y, x) = step_of_cell(plate, y, x);
}

/// `changes` has no border.
HEAT_KERNEL to_plate(global SCALAR* plate, global const SCALAR* work, global SCALAR* changes) {
  const int y = MY_ROW, x = MY_COLUMN;
  if (!IS_INSIDE(y, x)) return;
  const SCALAR change = AT(work, y, x) - AT(plate, y, x);
  AT(plate, y, x) = AT(work, y, x);
  changes[(size_t)y * WIDTH + x] = fabs(change);
}

/// In groups of SUM_ITEMS along a row. `scratch`: one value per work-item.
kernel GROUP_OF(SUM_ITEMS) void sum_changes(int first_sum, global const SCALAR* restrict changes, ulong count,
                                            global SCALAR* restrict partial_sums, LOCAL_PARAMETER(SCALAR) scratch) {
  const size_t i = get_group_id(0) * (size_t)SUM_ITEMS + get_local_id(0);
  const SCALAR sum = work_group_sum(i < count ? changes[i] : 0, scratch);
  if (get_local_id(0) == 0) partial_sums[first_sum + get_group_id(0)] = sum;
}
