// Vectors: as many work-groups as fill the device once. An item takes eight vectors at a time into eight vectors of its
// own, the group those of its items (reduction.h), and the host what the groups have left: one launch, in which no
// group waits for another.
//
//     a, b ... h (op)= next vectors             of the item's
//     results[group] = those of all items
//
// On a GPU neighbours read neighbouring vectors, and a group eight rows of them that lie together; where a group is one
// item, as on processors, it walks along consecutive vectors.
#include "operators.h"

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

// Eight variables, and no array of them: not every compiler keeps an array in registers.
#define AT_ONCE 8 /* as the host counts groups */
#define EACH_OF_EIGHT(each) each(a, 0) each(b, 1) each(c, 2) each(d, 3) each(e, 4) each(f, 5) each(g, 6) each(h, 7)
#define START(own, number) VALUES own = NEUTRAL;
#define READ(own, number) const VALUES next_##own = vectors[i + (number)*GROUP_X];
#define TAKE(own, number) own = COMBINE(own, next_##own);

/// Result over an item's vectors below `end`: in tiles of AT_ONCE rows, one vector per item and row, `turn` vectors
/// from one tile to the next. `first`: its vector in the first row of the first.
FN VALUE combined_vectors(global const VALUES* restrict vectors, size_t first, size_t end, size_t turn) {
  EACH_OF_EIGHT(START)
  size_t i = first;
  for (; i + (AT_ONCE - 1) * GROUP_X < end; i += turn) {
    EACH_OF_EIGHT(READ)
    EACH_OF_EIGHT(TAKE)
  }
  for (; i < end; i += GROUP_X) {  // of the last tile
    const VALUES next = vectors[i];
    a = COMBINE(a, next);
  }
  a = COMBINE(COMBINE(a, b), COMBINE(c, d));
  e = COMBINE(COMBINE(e, f), COMBINE(g, h));
  return combined_lanes(COMBINE(a, e));
}

/// results[group] becomes the result over all values of the group. `scratch`: one value per item.
kernel GROUP_OF(GROUP_X) void reduce_vectors(global const VALUE* restrict values, ulong count,
                                             global VALUE* restrict results, LOCAL_PARAMETER(VALUE) scratch) {
  const int item = get_local_id(0), group = get_group_id(0), groups = get_num_groups(0);
  const size_t vectors = count / LANES;
#if GROUP_X == 1
  VALUE value =
      combined_vectors((global const VALUES*)values, vectors * group / groups, vectors * (group + 1) / groups, AT_ONCE);
#else
  const size_t tile = AT_ONCE * GROUP_X;
  VALUE value = combined_vectors((global const VALUES*)values, group * tile + item, vectors, groups * tile);
#endif
  if (group == 0)
    for (size_t i = vectors * LANES + item; i < count; i += GROUP_X) value = COMBINE(value, values[i]);
#if GROUP_X > 1  // on a processor a group of one item would pay for the barriers
  value = work_group_sum(value, scratch);
#endif
  if (item == 0) results[group] = value;
}
