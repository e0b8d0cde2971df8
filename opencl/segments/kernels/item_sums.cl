// Segmented sums for processors: an item has consecutive segments, or parts of segments, and goes along each in
// vectors.
//
//     for each segment of mine   part += next vector;   sum = lanes of part + what is left
#include "opencl/runtime/kernels/fill_eighths.h"

FN SCALAR sum_of(global const SCALAR* restrict values, ulong count) {
  SCALAR sum = 0;
  ulong i = 0;
  if (count >= LANES) {
    REAL a = 0, b = 0;
    for (; i + 2 * LANES <= count; i += 2 * LANES) {
      a += LOAD(values + i);
      b += LOAD(values + i + LANES);
    }
    for (; i + LANES <= count; i += LANES) a += LOAD(values + i);
    sum = sum_of_lanes(a + b);
  }
  for (; i < count; ++i) sum += values[i];
  return sum;
}

/// sums[segment * parts + part] of each part of each segment.
kernel GROUP_OF(GROUP_X) void sum_by_items(global const SCALAR* restrict values, ulong segments, ulong length,
                                           uint parts, global SCALAR* restrict sums) {
  const ulong all_parts = segments * parts, items = get_global_size(0), item = get_global_id(0);
  for (ulong number = all_parts * item / items; number < all_parts * (item + 1) / items; ++number) {
    const ulong segment = number / parts, part = number % parts;
    const ulong first = length * part / parts, end = length * (part + 1) / parts;
    sums[number] = sum_of(values + segment * length + first, end - first);
  }
}
