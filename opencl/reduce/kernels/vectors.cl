// Vectors: as many work-groups as fill the device once. An item takes four vectors at a time into four vectors of its own, the
// group those of its items (reduction.h), and the group that is last to be done takes what all groups have left: one
// launch, and nothing but the result goes to the host.
//
//     a, b, c, d (op)= next vectors             of the item's
//     results[group] = those of all items;  last group: result = results[0] (op) results[1] ...
//
// On a GPU neighbours read neighbouring vectors; where a group is one item, as on processors, it walks along a stretch.
#include "operators.h"

#include "opencl/runtime/kernels/groups.h"
#include "opencl/runtime/kernels/reduction.h"

FN VALUE combined_lanes(VALUES vector) {
#if LANES == 1
  return vector;
#else
  VALUE lanes[LANES];
  JOIN(vstore, LANES)(vector, 0, lanes);
  VALUE value = lanes[0];
  for (int lane = 1; lane < LANES; ++lane) value = COMBINE(value, lanes[lane]);
  return value;
#endif
}

/// What the vectors first, first + stride ... below `end` come to. Four variables, and no array of them: not every
/// compiler keeps an array in registers.
FN VALUE combined_vectors(global const VALUES* restrict vectors, size_t first, size_t end, size_t stride) {
  VALUES a = NEUTRAL, b = NEUTRAL, c = NEUTRAL, d = NEUTRAL;
  size_t i = first;
  for (; i + 3 * stride < end; i += 4 * stride) {
    const VALUES next_a = vectors[i], next_b = vectors[i + stride], next_c = vectors[i + 2 * stride],
                 next_d = vectors[i + 3 * stride];
    a = COMBINE(a, next_a);
    b = COMBINE(b, next_b);
    c = COMBINE(c, next_c);
    d = COMBINE(d, next_d);
  }
  for (; i < end; i += stride) {
    const VALUES next = vectors[i];
    a = COMBINE(a, next);
  }
  a = COMBINE(a, b);
  c = COMBINE(c, d);
  return combined_lanes(COMBINE(a, c));
}

/// result[0] becomes what all values come to. `results`: one value per group; `done`: 0, and 0 again afterwards;
/// `scratch`: one value per item, as wide as two.
kernel GROUP_OF(GROUP_X) void reduce_vectors(global const VALUE* restrict values, ulong count,
                                             volatile global VALUE* results, volatile global uint* done,
                                             global VALUE* restrict result, LOCAL_PARAMETER(VALUE) scratch) {
  LOCAL_VARIABLE int is_last;
  const int item = get_local_id(0), group = get_group_id(0), groups = get_num_groups(0);
  const size_t vectors = count / LANES;
#if GROUP_X == 1
  VALUE value = combined_vectors((global const VALUES*)values, vectors * group / groups,
                                 vectors * (group + 1) / groups, 1);
#else
  VALUE value = combined_vectors((global const VALUES*)values, group * (size_t)GROUP_X + item, vectors,
                                 groups * (size_t)GROUP_X);
#endif
  if (group == 0)
    for (size_t i = vectors * LANES + item; i < count; i += GROUP_X) value = COMBINE(value, values[i]);
  value = work_group_sum(value, scratch);
  if (item == 0) {
    results[group] = value;
    publish();
    is_last = count_up(done) == (uint)groups - 1;
    if (is_last) see_what_was_published();
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (!is_last) return;
  value = NEUTRAL;
  for (int i = item; i < groups; i += GROUP_X) {
    const VALUE of_group = results[i];
    value = COMBINE(value, of_group);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  value = work_group_sum(value, scratch);
  if (item == 0) {
    result[0] = value;
    *done = 0;
  }
}
