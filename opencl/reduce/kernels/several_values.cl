// Several values per work-item: an item first takes EACH values, where neighbours read neighbouring memory, then the
// work-group takes those of its items (reduction.h). Launch after launch, until one value is left.
//
//     for (i = 0; i < count; ++i) result = result (op) values[i];
#include "operators.h"

#include "opencl/runtime/kernels/reduction.h"

/// results[g] becomes the result over work-group g's values. `scratch`: one value per item.
kernel GROUP_OF(GROUP_X) void reduce_values(global const VALUE* restrict values, ulong count,
                                            global VALUE* restrict results, LOCAL_PARAMETER(VALUE) scratch) {
  const size_t first = get_group_id(0) * (size_t)(EACH * GROUP_X) + get_local_id(0);
  VALUE value = NEUTRAL;
  UNROLLED for (int i = 0; i < EACH; ++i) if (first + i * GROUP_X < count) value =
      COMBINE(value, values[first + i * GROUP_X]);
  value = work_group_sum(value, scratch);
  if (get_local_id(0) == 0) results[get_group_id(0)] = value;
}
