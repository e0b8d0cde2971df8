// Access patterns for processors: an item computes consecutive sums, with neighbouring elements in vectors; for the
// last axis the sums of rows (row_sums.h, for which the host defines LENGTH, n).
#include "opencl/runtime/kernels/fill_eighths.h"

#include "opencl/runtime/kernels/row_sums.h"

/// filled[i] = 1.
kernel GROUP_OF(GROUP_X) void fill_range(global SCALAR* restrict filled, ulong count) {
  const ulong items = get_global_size(0), item = get_global_id(0), end = count * (item + 1) / items;
  ulong i = count * item / items;
  const REAL ones = 1;
  for (; i + LANES <= end; i += LANES) STORE(ones, filled + i);
  for (; i < end; ++i) filled[i] = 1;
}

#define AT_ONCE 4 /* vectors */

/// At least LANES sums of neighbouring columns, and at most AT_ONCE vectors of them; the last ones end with the last
/// column.
FN void sum_columns(global const SCALAR* restrict from, uint n, ulong apart, global SCALAR* restrict sums,
                    ulong columns) {
  const ulong last = columns - LANES;
  const ulong at_b = min((ulong)LANES, last), at_c = min((ulong)(2 * LANES), last);
  REAL a = 0, b = 0, c = 0, d = 0;
  for (uint i = 0; i < n; ++i, from += apart) {
    a += LOAD(from);
    b += LOAD(from + at_b);
    c += LOAD(from + at_c);
    d += LOAD(from + last);
  }
  STORE(a, sums);
  STORE(b, sums + at_b);
  STORE(c, sums + at_c);
  STORE(d, sums + last);
}

/// sums[sum], each of n elements, `apart` from one another; the first of them is element sum / apart * apart * n + sum
/// % apart.
kernel GROUP_OF(GROUP_X) void add_up_range(global const SCALAR* restrict values, uint n, ulong apart,
                                           global SCALAR* restrict sums) {
  const ulong all = (ulong)n * n * n, items = get_global_size(0), item = get_global_id(0);
  const ulong end = all * (item + 1) / items;
  ulong sum = all * item / items;
  if (apart == 1) {
#ifdef LENGTH
    sum = sum_short_rows(values, sum, end, sums);
#endif
    for (; sum < end; ++sum) sums[sum] = sum_of(values + sum * n, n);
    return;
  }
  while (sum < end) {
    global const SCALAR* from = values + sum / apart * apart * n + sum % apart;
    const ulong columns = min(min(end, (sum / apart + 1) * apart) - sum, (ulong)(AT_ONCE * LANES));
    if (columns >= LANES)
      sum_columns(from, n, apart, sums + sum, columns);
    else
      for (ulong column = 0; column < columns; ++column) {
        SCALAR one = 0;
        for (uint i = 0; i < n; ++i) one += from[column + i * apart];
        sums[sum + column] = one;
      }
    sum += columns;
  }
}
