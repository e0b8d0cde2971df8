// Vectors: as many work-groups as fill the device once. An item takes eight vectors at a time into eight vectors of its
// own, the group those of its items (reduction.h), and the group that is last to be done takes what all groups have
// left: one launch, and nothing but the result goes to the host.
//
//     a, b ... h (op)= next vectors             of the item's
//     results[group] = those of all items;  last group: result = results[0] (op) results[1] ...
//
// On a GPU neighbours read neighbouring vectors, and a group eight rows of them that lie together; where a group is one
// item, as on processors, it walks along consecutive vectors.
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

// Eight variables, and no array of them: not every compiler keeps an array in registers.
#define AT_ONCE 8 /* as the host counts groups */
#define EACH_OF_EIGHT(each) each(a, 0) each(b, 1) each(c, 2) each(d, 3) each(e, 4) each(f, 5) each(g, 6) each(h, 7)
#define START(own, number) VALUES own = NEUTRAL;
#define READ(own, number) const VALUES next_##own = vectors[i + (number)*GROUP_X];
#define TAKE(own, number) own = COMBINE(own, next_##own);

/// What an item's vectors below `end` come to: of tiles of AT_ONCE rows, a row a vector per item, `turn` vectors from
/// one tile to the next. `first`: its vector in the first row of the first.
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

// A group of one item waits for nobody, and on a processor pays for every barrier.
#if GROUP_X == 1
#define OF_GROUP(value) (value)
#define WAIT
#define OF_ALL_ITEMS
#else
#define OF_GROUP(value) work_group_sum(value, scratch)
#define WAIT barrier(CLK_LOCAL_MEM_FENCE)
#define OF_ALL_ITEMS LOCAL_VARIABLE
#endif

/// result[0] becomes what all values come to. `results`: one value per group; `done`: 0, and 0 again afterwards;
/// `scratch`: one value per item, as wide as two.
kernel GROUP_OF(GROUP_X) void reduce_vectors(global const VALUE* restrict values, ulong count,
                                             volatile global VALUE* results, volatile global uint* done,
                                             global VALUE* restrict result, LOCAL_PARAMETER(VALUE) scratch) {
  OF_ALL_ITEMS int is_last;
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
  value = OF_GROUP(value);
  if (item == 0) {
    results[group] = value;
    publish();
    is_last = count_up(done) == (uint)groups - 1;
    if (is_last) see_what_was_published();
  }
  WAIT;
  if (!is_last) return;
  value = NEUTRAL;
  for (int i = item; i < groups; i += GROUP_X) {
    const VALUE of_group = results[i];
    value = COMBINE(value, of_group);
  }
  WAIT;
  value = OF_GROUP(value);
  if (item == 0) {
    result[0] = value;
    *done = 0;
  }
}
