// Sums over a work-group, or reductions by another operator. The host defines REDUCTION, the name of one of the methods
// below, and, for sub-groups, the device's support: SUB_GROUPS (cl_khr_subgroups) or WARP_SHUFFLES (NVIDIA).
//
// A loop with barriers must follow a separate barrier. In groups of one column PoCL 3.1 runs the first work-item twice
// from the barrier before such a loop to the first one in it, or from the kernel's start if there is none, and an
// update in place must not be done twice.
//
// Every method returns the sum of all work-items' `value`, valid only in work-item 0. `scratch` holds one value per
// work-item. Any work-group size is allowed. Every work-item must call it, and only once with the same scratch.
#ifndef BOLTZMARK_OPENCL_REDUCTION_H
#define BOLTZMARK_OPENCL_REDUCTION_H

#include "opencl/runtime/kernels/pack.h"
#ifdef WARP_SHUFFLES
#include "opencl/runtime/kernels/warps.h"
#endif

#define work_group_sum JOIN(work_group_sum_, REDUCTION)

// A kernel file may have another operator than +, and words of a SCALAR's size for numbers (TERM_IS_WORD), by defining
// TERM, COMBINE and SUB_GROUP_COMBINED first.
#ifndef TERM
#define TERM SCALAR
#define COMBINE(a, b) ((a) + (b))
#define SUB_GROUP_COMBINED(value) sub_group_reduce_add(value)
#endif
#if defined DOUBLES
#define BITS_OF_TERM(value) as_uint2(value)
#else
#define BITS_OF_TERM(value) as_uint(value)
#endif
#if defined DOUBLES && defined TERM_IS_WORD
#define TERM_OF_BITS(bits) ((TERM)as_ulong(bits))
#elif defined DOUBLES
#define TERM_OF_BITS(bits) as_double(bits)
#elif defined TERM_IS_WORD
#define TERM_OF_BITS(bits) ((TERM)(bits))
#else
#define TERM_OF_BITS(bits) as_float(bits)
#endif

#if defined GROUP_Z && GROUP_Z > 1
FN int item_number(void) {
  return get_local_id(0) + (get_local_id(1) + get_local_id(2) * get_local_size(1)) * get_local_size(0);
}
FN int group_items(void) { return get_local_size(0) * get_local_size(1) * get_local_size(2); }
#else
FN int item_number(void) { return get_local_id(0) + get_local_id(1) * get_local_size(0); }
FN int group_items(void) { return get_local_size(0) * get_local_size(1); }
#endif
FN int group_number(void) {
  return get_group_id(0) + (get_group_id(1) + get_group_id(2) * get_num_groups(1)) * get_num_groups(0);
}

/// One work-item adds up all values.
FN TERM work_group_sum_linear(TERM value, local TERM* scratch) {
  const int item = item_number(), items = group_items();
  scratch[item] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0)
    for (int i = 1; i < items; ++i) value = COMBINE(value, scratch[i]);
  return value;
}

/// A binary tree of neighbours: in round r every 2^r-th item adds the value of the item 2^(r-1) further on.
FN TERM work_group_sum_tree(TERM value, local TERM* scratch) {
  const int item = item_number(), items = group_items();
  scratch[item] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int distance = 1; distance < items; distance *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item % (2 * distance) == 0 && item + distance < items)
      scratch[item] = COMBINE(scratch[item], scratch[item + distance]);
  }
  return scratch[item];
}

/// Folds the upper half of the first `count` values onto the lower half until one is left. A value without a partner is
/// carried to the next round. Must follow a barrier.
FN TERM fold_halves(int item, int count, local TERM* scratch) {
  while (count > 1) {
    const int half_count = (count + 1) / 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item + half_count < count) scratch[item] = COMBINE(scratch[item], scratch[item + half_count]);
    count = half_count;
  }
  return scratch[item];
}

FN TERM work_group_sum_halves(TERM value, local TERM* scratch) {
  const int item = item_number();
  scratch[item] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  return fold_halves(item, group_items(), scratch);
}

/// Every `share`-th item adds `share` neighbouring values in turn, then halves are folded.
FN TERM sum_in_shares(TERM value, int share, local TERM* scratch) {
  const int item = item_number(), items = group_items();
  const int workers = (items + share - 1) / share, first = item * share;
  scratch[item] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < workers) {
    value = scratch[first];
    for (int i = 1; i < share; ++i)
      if (first + i < items) value = COMBINE(value, scratch[first + i]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < workers) scratch[item] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  return fold_halves(item, workers, scratch);
}

FN TERM work_group_sum_hybrid2(TERM value, local TERM* scratch) { return sum_in_shares(value, 2, scratch); }
FN TERM work_group_sum_hybrid4(TERM value, local TERM* scratch) { return sum_in_shares(value, 4, scratch); }
FN TERM work_group_sum_hybrid8(TERM value, local TERM* scratch) { return sum_in_shares(value, 8, scratch); }

#if defined SUB_GROUPS

/// Sub-groups add up their own values, and work-item 0 adds up the sub-groups.
FN TERM work_group_sum_subgroup(TERM value, local TERM* scratch) {
  value = SUB_GROUP_COMBINED(value);
  if (get_sub_group_local_id() == 0) scratch[get_sub_group_id()] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item_number() == 0) {
    const int sub_groups = get_num_sub_groups();
    value = scratch[0];
    for (int i = 1; i < sub_groups; ++i) value = COMBINE(value, scratch[i]);
  }
  return value;
}

#elif defined WARP_SHUFFLES

FN TERM value_from_above(TERM value, int distance, uint lanes) {
#ifdef DOUBLES
  const uint2 words = BITS_OF_TERM(value);
  return TERM_OF_BITS(
      VECTOR(uint2)(word_from_above(words.x, distance, lanes), word_from_above(words.y, distance, lanes)));
#else
  return TERM_OF_BITS(word_from_above(BITS_OF_TERM(value), distance, lanes));
#endif
}

/// Warps add up their own values by shuffles, and work-item 0 adds up the warps. The last warp of a group may be
/// smaller; its lanes read nothing beyond its end.
FN TERM work_group_sum_subgroup(TERM value, local TERM* scratch) {
  const int item = item_number(), items = group_items();
  const int lane = item % WARP, present = min(WARP, items - (item - lane));
  const uint lanes = present == WARP ? 0xffffffffu : (1u << present) - 1;
  UNROLLED for (int distance = WARP / 2; distance > 0; distance /= 2) {
    const TERM other = value_from_above(value, distance, lanes);
    if (lane + distance < present) value = COMBINE(value, other);
  }
  if (lane == 0) scratch[item / WARP] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0)
    for (int i = 1; i < (items + WARP - 1) / WARP; ++i) value = COMBINE(value, scratch[i]);
  return value;
}

#endif

#endif
