// The published ladder: how a work-group adds up one value per work-item in local memory (Ynddal, "Transform Array
// Operations to Optimize Memory Access for GPGPU", 2019). Two launches: in the first every group leaves the sum of its
// values; in the second one single group walks over these sums, row by row, and adds up its items like the others.
//
//     for (i = 0; i < count; ++i) sum += values[i];
//
// The rungs, for groups of a power of two. A wavefront is the items that run in step, W of them.
//
//   naive                    in round r every 2^r-th item adds what its neighbour at a distance of 2^(r-1) has; a
//                            barrier per round. Active items lie ever further apart: wavefronts stay busy to the end.
//   naive, fewest barriers   the same, but rounds within a wavefront, which come first, need no barrier
//   compact                  the upper half is folded onto the lower one; a barrier per round. Active items stay
//                            together, so whole wavefronts retire.
//   compact, fewest barriers the same, but none once a single wavefront is left
//   hybrid k                 each active wavefront folds the values of k wavefronts from local memory, of which the
//                            other k-1 retire, again and again; the last one goes on like the rung above
//
// Where the published kernels had no barrier, wavefronts ran in step. Today's may not, so the items of one wait for each
// other there by the means of sub-groups (SUB_GROUPS or WARP_SHUFFLES, see reduction.h), which cost no group's barrier.
// The host defines SUM_GROUP, one of the functions below, HYBRID, the k, and GROUP_X.
#include "opencl/runtime/kernels/reduction.h"

#include "fill.h"

#if defined SUB_GROUPS
#define WAVEFRONT ((int)get_max_sub_group_size())
#define ITEM ((int)(get_sub_group_id() * get_max_sub_group_size() + get_sub_group_local_id()))
#define WAVEFRONT_BARRIER sub_group_barrier(CLK_LOCAL_MEM_FENCE)
#elif defined WARP_SHUFFLES
#define WAVEFRONT WARP
#define ITEM ((int)get_local_id(0))
#define WAVEFRONT_BARRIER warp_barrier()
#else
#define ITEM ((int)get_local_id(0))
#endif

FN void sum_naive(local SCALAR* s) {
  for (int distance = 1; distance < GROUP_X; distance *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (ITEM % (2 * distance) == 0) s[ITEM] += s[ITEM + distance];
  }
}

FN void sum_compact(local SCALAR* s) {
  for (int active = GROUP_X / 2; active > 0; active /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (ITEM < active) s[ITEM] += s[ITEM + active];
  }
}

#ifdef WAVEFRONT

FN void sum_naive_fewest_barriers(local SCALAR* s) {
  int distance = 1;
  for (; distance < min(WAVEFRONT, GROUP_X); distance *= 2) {
    WAVEFRONT_BARRIER;
    if (ITEM % (2 * distance) == 0) s[ITEM] += s[ITEM + distance];
  }
  for (; distance < GROUP_X; distance *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (ITEM % (2 * distance) == 0) s[ITEM] += s[ITEM + distance];
  }
}

/// Folds the first `count` values, a wavefront's or fewer; a barrier has to stand before it.
FN void sum_wavefront(local SCALAR* s, int count) {
  if (ITEM >= WAVEFRONT) return;
  for (int active = count / 2; active > 0; active /= 2) {
    if (ITEM < active) s[ITEM] += s[ITEM + active];
    WAVEFRONT_BARRIER;
  }
}

FN void sum_compact_fewest_barriers(local SCALAR* s) {
  int active = GROUP_X / 2;
  for (; active > WAVEFRONT / 2; active /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (ITEM < active) s[ITEM] += s[ITEM + active];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  sum_wavefront(s, 2 * active);
}

FN void sum_hybrid(local SCALAR* s) {
  int count = GROUP_X;  // values that are left
  while (count > WAVEFRONT) {
    const int k = min(HYBRID, count / WAVEFRONT);  // a last step of fewer where k do not fit
    const int active = count / k;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (ITEM < active) {
      SCALAR value = s[ITEM];
      for (int i = 1; i < k; ++i) value += s[ITEM + i * active];
      s[ITEM] = value;
    }
    count = active;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  sum_wavefront(s, count);
}

#endif

#define REDUCE_KERNEL kernel GROUP_OF(GROUP_X) void

/// Adds up the items' values; sums[group] becomes their sum. `s`: one value per item.
FN void leave_group_sum(SCALAR value, global SCALAR* sums, local SCALAR* s) {
  s[ITEM] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  SUM_GROUP(s);
  if (ITEM == 0) sums[get_group_id(0)] = s[0];
}

/// The first launch, one value per item; behind the last value there are zeros.
REDUCE_KERNEL sum_values(global const SCALAR* restrict values, ulong count, global SCALAR* restrict sums,
                         LOCAL_PARAMETER(SCALAR) s) {
  const size_t i = get_group_id(0) * (size_t)GROUP_X + ITEM;
  leave_group_sum(i < count ? values[i] : 0, sums, s);
}

/// The second launch, of one group.
REDUCE_KERNEL sum_rows(global const SCALAR* restrict values, ulong count, global SCALAR* restrict sums,
                       LOCAL_PARAMETER(SCALAR) s) {
  SCALAR value = 0;
  for (size_t i = ITEM; i < count; i += GROUP_X) value += values[i];
  leave_group_sum(value, sums, s);
}
