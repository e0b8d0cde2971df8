// Segmented sums for processors: an item has consecutive segments, or parts of segments (row_sums.h).
//
//     few segments   each is cut into parts; the item that is the last to end one adds up all parts of the segment
#include "opencl/runtime/kernels/fill_eighths.h"

#include "opencl/runtime/kernels/groups.h"
#include "opencl/runtime/kernels/row_sums.h"

/// sums[segment]. If a segment has several parts, also part_sums[segment * parts + part] of each, and done[segment],
/// which is 0 before and afterwards.
kernel GROUP_OF(GROUP_X) void sum_by_items(global const SCALAR* restrict values, ulong segments, ulong length,
                                           uint parts, global SCALAR* restrict sums, volatile global SCALAR* part_sums,
                                           volatile global uint* done) {
  const ulong all_parts = segments * parts, items = get_global_size(0), item = get_global_id(0);
  const ulong end = all_parts * (item + 1) / items;
  ulong number = all_parts * item / items;
#ifdef LENGTH
  if (parts == 1) number = sum_short_rows(values, number, end, sums);
#endif
  for (; number < end; ++number) {
    const ulong segment = number / parts, part = number % parts;
    const ulong first = length * part / parts, last = length * (part + 1) / parts;
    SCALAR sum = sum_of(values + segment * length + first, last - first);
    if (parts > 1) {
      part_sums[number] = sum;
      publish();
      if (count_up(done + segment) + 1 < parts) continue;
      see_what_was_published();
      store_flag(done + segment, 0);
      sum = 0;
      for (uint i = 0; i < parts; ++i) sum += part_sums[segment * parts + i];
    }
    sums[segment] = sum;
  }
}
