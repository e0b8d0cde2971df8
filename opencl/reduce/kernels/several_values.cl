// Several values per work-item: an item first adds EACH values, where neighbours read neighbouring memory, then the
// work-group adds up its items (reduction.h). Launch after launch, until one value is left.
//
//     for (i = 0; i < count; ++i) sum += values[i];
#include "opencl/runtime/kernels/reduction.h"

#include "fill.h"

/// sums[g] becomes the sum of what work-group g reads. `scratch`: one value per item.
kernel GROUP_OF(GROUP_X) void sum_values(global const SCALAR* restrict values, ulong count,
                                         global SCALAR* restrict sums, LOCAL_PARAMETER(SCALAR) scratch) {
  const size_t first = get_group_id(0) * (size_t)(EACH * GROUP_X) + get_local_id(0);
  SCALAR value = 0;
#pragma unroll
  for (int i = 0; i < EACH; ++i)
    if (first + i * GROUP_X < count) value += values[first + i * GROUP_X];
  value = work_group_sum(value, scratch);
  if (get_local_id(0) == 0) sums[get_group_id(0)] = value;
}
