// The reductions of reduction.h alone: a long array to one sum a work-group. An item first adds EACH values,
// as many as the divide-and-conquer reductions give it and one elsewhere, neighbours reading neighbouring
// memory.
#include "reduction.h"

/// values[i] of 0 .. count-1, which has an exact sum.
kernel void fill(global SCALAR* restrict values, ulong count) {
  for (size_t i = get_global_id(0); i < count; i += get_global_size(0)) values[i] = (i % 16) * (SCALAR)0.125;
}

/// sums[g] becomes the sum of what work-group g reads. `scratch`: one value a work-item.
kernel __attribute__((reqd_work_group_size(GROUP_X, 1, 1))) void reduce(global const SCALAR* restrict values,
                                                                        ulong count,
                                                                        global SCALAR* restrict sums,
                                                                        local SCALAR* scratch) {
  const size_t first = get_group_id(0) * (size_t)(EACH * GROUP_X) + get_local_id(0);
  SCALAR value = 0;
#pragma unroll
  for (int i = 0; i < EACH; ++i)
    if (first + i * GROUP_X < count) value += values[first + i * GROUP_X];
  value = work_group_sum(value, scratch);
  if (get_local_id(0) == 0) sums[get_group_id(0)] = value;
}
