// Sums over a work-group.
#ifndef BOLTZMARK_OPENCL_REDUCTION_H
#define BOLTZMARK_OPENCL_REDUCTION_H

#include "pack.h"

/// Sum of every work-item's `value`, right in work-item 0 only. `scratch` holds one value a work-item; any
/// work-group size is fine, because a half that has no partner is carried to the next round. Every work-item
/// must call it.
FN SCALAR work_group_sum(SCALAR value, local SCALAR* scratch) {
  const int item = get_local_id(0) + get_local_id(1) * get_local_size(0);
  scratch[item] = value;
  int count = get_local_size(0) * get_local_size(1);
  while (count > 1) {
    const int half_count = (count + 1) / 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item + half_count < count) scratch[item] += scratch[item + half_count];
    count = half_count;
  }
  return scratch[item];
}

#endif
