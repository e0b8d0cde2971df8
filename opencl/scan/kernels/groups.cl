// Groups: every work-group scans two values per item in local memory and leaves their sum; these sums are scanned the
// same way, launch after launch, and added to what came before. How a group scans n values:
//
//   hillis_steele   in round r every value takes the one 2^r before it: log2(n) rounds, n additions in each
//   blelloch        up: in round r every 2^(r+1)-th value takes the one 2^r before it, as in a sum;
//                   down: from the top, every value is handed what is left of it: 2 log2(n) rounds, 2n additions in all
//
// The host defines SCAN_GROUP, one of these, and GROUP_X, a power of two.
#include "opencl/runtime/kernels/fill_eighths.h"

#define GROUP_VALUES (2 * GROUP_X)

/// s[i] becomes the sum of s[0] .. s[i]. Each item has the values 2 * item and 2 * item + 1.
FN void hillis_steele(local SCALAR* s, int item) {
  for (int distance = 1; distance < GROUP_VALUES; distance *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const int low = item, high = item + GROUP_X;
    const SCALAR to_low = low >= distance ? s[low - distance] : 0;
    const SCALAR to_high = high >= distance ? s[high - distance] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    s[low] += to_low;
    s[high] += to_high;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

FN void blelloch(local SCALAR* s, int item) {
  for (int distance = 1; distance < GROUP_VALUES; distance *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const int at = (item + 1) * 2 * distance - 1;
    if (at < GROUP_VALUES) s[at] += s[at - distance];
  }
  // Down: value `at` is complete; the one `distance` behind it lacks the sum that ends at `at`.
  for (int distance = GROUP_VALUES / 4; distance > 0; distance /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const int at = (item + 1) * 2 * distance - 1;
    if (at + distance < GROUP_VALUES) s[at + distance] += s[at];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

/// sums[i] = sum of the group's values up to i, group_sums[group] = of all of them. `s`: two values an item.
kernel GROUP_OF(GROUP_X) void scan_groups(global const SCALAR* restrict values, ulong count,
                                          global SCALAR* restrict sums, global SCALAR* restrict group_sums,
                                          LOCAL_PARAMETER(SCALAR) s) {
  const int item = get_local_id(0);
  const size_t first = get_group_id(0) * (size_t)GROUP_VALUES, low = first + item, high = low + GROUP_X;
  local SCALAR* const all_values = s;
  all_values[item] = low < count ? values[low] : 0;
  all_values[item + GROUP_X] = high < count ? values[high] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  SCAN_GROUP(all_values, item);
  if (low < count) sums[low] = all_values[item];
  if (high < count) sums[high] = all_values[item + GROUP_X];
  if (item == 0) group_sums[get_group_id(0)] = all_values[GROUP_VALUES - 1];
}

/// Every group but the first adds the sum of all groups before it.
kernel GROUP_OF(GROUP_X) void add_before(global SCALAR* restrict sums, ulong count,
                                         global const SCALAR* restrict scanned_group_sums) {
  const size_t group = get_group_id(0) + 1, low = group * GROUP_VALUES + get_local_id(0), high = low + GROUP_X;
  const SCALAR before = scanned_group_sums[group - 1];
  if (low < count) sums[low] += before;
  if (high < count) sums[high] += before;
}
