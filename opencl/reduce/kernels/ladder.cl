// The published ladder: how a work-group reduces one value per work-item in local memory (Ynddal, "Transform Array
// Operations to Optimize Memory Access for GPGPU", 2019). Two launches: in the first every group leaves what its values
// come to; in the second one single group walks over these, row by row, and takes those of its items like the others.
//
//     for (i = 0; i < count; ++i) result = result (op) values[i];
//
// The rungs, for groups of a power of two. A wavefront is the items that run in step, W of them.
//
//   naive                    in round r every 2^r-th item takes what its neighbour at a distance of 2^(r-1) has; a
//                            barrier per round. Active items lie ever further apart: wavefronts stay busy to the end.
//   naive, fewest barriers   the same, but rounds within a wavefront, which come first, need no barrier
//   compact                  the upper half is folded onto the lower one; a barrier per round. Active items stay
//                            together, so whole wavefronts retire.
//   compact, fewest barriers the same, but none once a single wavefront is left
//   hybrid k                 each active wavefront folds the values of k wavefronts from local memory, of which the
//                            other k-1 retire, again and again; the last one goes on like the rung above
//
// Where the published kernels had no barrier, wavefronts ran in step. Today's may not, so the items of one wait for
// each other there by the means of sub-groups (SUB_GROUPS or WARP_SHUFFLES, see reduction.h), which cost no group's
// barrier.
//
// The host defines REDUCE_GROUP, one of the functions below, HYBRID, the k, and GROUP_X; and what the published tables
// of index arithmetic compare: IDS_FLAT3D, numbers of items made of three axes, and LOCAL_SIZE, where the group's size
// comes from: GROUP_X, `size_argument` or get_local_size(0).
#include "operators.h"

#ifdef WARP_SHUFFLES
#include "opencl/runtime/kernels/warps.h"
#endif

#ifdef IDS_FLAT3D
#define LOCAL_NUMBER \
  ((int)(get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2))))
#define GROUP_NUMBER \
  (get_group_id(0) + get_num_groups(0) * (size_t)(get_group_id(1) + get_num_groups(1) * get_group_id(2)))
#define GLOBAL_NUMBER \
  (get_global_id(0) + get_global_size(0) * (size_t)(get_global_id(1) + get_global_size(1) * (size_t)get_global_id(2)))
#else
#define LOCAL_NUMBER ((int)get_local_id(0))
#define GROUP_NUMBER get_group_id(0)
#define GLOBAL_NUMBER get_global_id(0)
#endif

#if defined SUB_GROUPS
#define WAVEFRONT ((int)get_max_sub_group_size())
#define ITEM ((int)(get_sub_group_id() * get_max_sub_group_size() + get_sub_group_local_id()))
#define WAVEFRONT_BARRIER sub_group_barrier(CLK_LOCAL_MEM_FENCE)
#elif defined WARP_SHUFFLES
#define WAVEFRONT WARP
#define ITEM LOCAL_NUMBER
#define WAVEFRONT_BARRIER warp_barrier()
#else
#define ITEM LOCAL_NUMBER
#endif

#define FOLD(to, from) s[to] = COMBINE(s[to], s[from])

/// Rounds at distances from `distance` to before `end`, with this barrier in each.
#define FOLD_NEIGHBOURS(end, barrier_of_round)                   \
  for (; distance < (end); distance *= 2) {                      \
    barrier_of_round;                                            \
    if (ITEM % (2 * distance) == 0) FOLD(ITEM, ITEM + distance); \
  }
/// Folds the upper half of 2 * `active` values onto the lower, until fewer than `least` are active.
#define FOLD_HALVES(least)                        \
  for (; active >= (least); active /= 2) {        \
    barrier(CLK_LOCAL_MEM_FENCE);                 \
    if (ITEM < active) FOLD(ITEM, ITEM + active); \
  }

FN void naive(local VALUE* s, int items) {
  int distance = 1;
  FOLD_NEIGHBOURS(items, barrier(CLK_LOCAL_MEM_FENCE))
}

FN void compact(local VALUE* s, int items) {
  int active = items / 2;
  FOLD_HALVES(1)
}

#ifdef WAVEFRONT

FN void naive_fewest_barriers(local VALUE* s, int items) {
  int distance = 1;
  FOLD_NEIGHBOURS(min(WAVEFRONT, items), WAVEFRONT_BARRIER)
  FOLD_NEIGHBOURS(items, barrier(CLK_LOCAL_MEM_FENCE))
}

/// Folds the first `count` values, a wavefront's or fewer; must be preceded by a barrier.
FN void fold_wavefront(local VALUE* s, int count) {
  if (ITEM >= WAVEFRONT) return;
  for (int active = count / 2; active > 0; active /= 2) {
    if (ITEM < active) FOLD(ITEM, ITEM + active);
    WAVEFRONT_BARRIER;
  }
}

FN void compact_fewest_barriers(local VALUE* s, int items) {
  int active = items / 2;
  FOLD_HALVES(WAVEFRONT / 2 + 1)
  barrier(CLK_LOCAL_MEM_FENCE);
  fold_wavefront(s, 2 * active);
}

FN void hybrid(local VALUE* s, int items) {
  int count = items;  // values that are left
  while (count > WAVEFRONT) {
    const int k = min(HYBRID, count / WAVEFRONT);  // a last step of fewer where k do not fit
    const int active = count / k;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (ITEM < active) {
      VALUE value = s[ITEM];
      for (int i = 1; i < k; ++i) value = COMBINE(value, s[ITEM + i * active]);
      s[ITEM] = value;
    }
    count = active;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  fold_wavefront(s, count);
}

#endif

// A compiler that is told the size of a group would put the number where the kernel asks for it.
#ifdef LOCAL_SIZE_IS_KNOWN
#define REDUCE_KERNEL kernel GROUP_OF(GROUP_X) void
#else
#define REDUCE_KERNEL kernel void
#endif

/// results[group] becomes the result over the items' values. `s`: one value per item.
FN void leave_group_result(VALUE value, global VALUE* results, local VALUE* s, int items) {
  s[ITEM] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  REDUCE_GROUP(s, items);
  if (ITEM == 0) results[GROUP_NUMBER] = s[0];
}

/// The first launch, one value per item; behind the last value there are neutral ones.
REDUCE_KERNEL reduce_values(global const VALUE* restrict values, ulong count, global VALUE* restrict results,
                            LOCAL_PARAMETER(VALUE) s, int size_argument) {
  const int items = LOCAL_SIZE;
#if defined IDS_FLAT3D || !defined LOCAL_SIZE_IS_KNOWN
  const size_t i = GLOBAL_NUMBER;
#else
  const size_t i = get_group_id(0) * (size_t)GROUP_X + ITEM;
#endif
  leave_group_result(i < count ? values[i] : NEUTRAL, results, s, items);
}

/// The second launch, of one group.
REDUCE_KERNEL reduce_rows(global const VALUE* restrict values, ulong count, global VALUE* restrict results,
                          LOCAL_PARAMETER(VALUE) s, int size_argument) {
  const int items = LOCAL_SIZE;
  VALUE value = NEUTRAL;
  for (size_t i = ITEM; i < count; i += items) value = COMBINE(value, values[i]);
  leave_group_result(value, results, s, items);
}
