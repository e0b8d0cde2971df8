// The second half of a sum over all work-groups: from one partial sum per group to one number per time step.
#ifndef BOLTZMARK_OPENCL_SUM_STEPS_H
#define BOLTZMARK_OPENCL_SUM_STEPS_H

#include "opencl/runtime/kernels/reduction.h"

/// sums[first_step + s] of partial_sums[s*count .. s*count + count-1], one work-group per step s. Kahan's compensation
/// keeps long sums of floats accurate to the last digits. `scratch`: one value per work-item.
kernel void sum_steps(int first_step, global const SCALAR* restrict partial_sums, int count,
                      global SCALAR* restrict sums, LOCAL_PARAMETER(SCALAR) scratch) {
  const int step = get_group_id(0);
  SCALAR sum = 0, lost = 0;
  for (int i = get_local_id(0); i < count; i += get_local_size(0)) {
    const SCALAR term = partial_sums[(size_t)step * count + i] - lost;
    const SCALAR next = sum + term;
    lost = (next - sum) - term;
    sum = next;
  }
  sum = work_group_sum(sum, scratch);
  if (get_local_id(0) == 0) sums[first_step + step] = sum;
}

#endif
