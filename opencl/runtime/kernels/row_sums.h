// Sums of consecutive values, and of rows of them, by one item in vectors: for processors. The host defines LENGTH,
// that of a row, if rows are short: then as many rows as a vector has lanes are summed at a time.
//
//     part = vectors of a row, added up, of LANES rows;   sums of neighbouring lanes, until there is one vector
#ifndef BOLTZMARK_OPENCL_ROW_SUMS_H
#define BOLTZMARK_OPENCL_ROW_SUMS_H

#include "opencl/runtime/kernels/pack.h"

FN SCALAR sum_of(global const SCALAR* restrict values, ulong count) {
  SCALAR sum = 0;
  ulong i = 0;
  if (count >= LANES) {
    REAL a = 0, b = 0, c = 0, d = 0;
    for (; i + 4 * LANES <= count; i += 4 * LANES) {
      a += LOAD(values + i);
      b += LOAD(values + i + LANES);
      c += LOAD(values + i + 2 * LANES);
      d += LOAD(values + i + 3 * LANES);
    }
    for (; i + LANES <= count; i += LANES) a += LOAD(values + i);
    sum = sum_of_lanes((a + b) + (c + d));
  }
  for (; i < count; ++i) sum += values[i];
  return sum;
}

#ifdef LENGTH

/// The sums of neighbouring lanes, those of `a` first.
FN REAL sums_of_pairs(REAL a, REAL b) { return (REAL)(a.even, b.even) + (REAL)(a.odd, b.odd); }

// Range of vectors to fold, and the number of values in each.
#if LENGTH < LANES && (LENGTH & (LENGTH - 1)) == 0
#define FOLDED LENGTH
#define APART LANES
FN REAL fold1(global const SCALAR* restrict from) { return LOAD(from); }
#else
#define FOLDED LANES
#define APART LENGTH
/// The end of a row is read with values of the next one.
FN REAL fold1(global const SCALAR* restrict from) {
  REAL sum = 0;
  UNROLLED for (int i = 0; i + LANES <= LENGTH; i += LANES) sum += LOAD(from + i);
#if LENGTH % LANES > 0
  sum += choose(mask_from_bits((1u << LENGTH % LANES) - 1), LOAD(from + LENGTH / LANES * LANES), (REAL)0);
#endif
  return sum;
}
#endif
#define FOLD_TWO(whole, half)                                                \
  FN REAL fold##whole(global const SCALAR* restrict from) {                  \
    return sums_of_pairs(fold##half(from), fold##half(from + half * APART)); \
  }
FOLD_TWO(2, 1)
FOLD_TWO(4, 2)
FOLD_TWO(8, 4)
FOLD_TWO(16, 8)

/// Computes sums[row] of rows row .. end-1. Returns the first row not done.
FN ulong sum_short_rows(global const SCALAR* restrict values, ulong row, ulong end, global SCALAR* restrict sums) {
  for (; (row + LANES) * LENGTH + LANES <= end * LENGTH; row += LANES)
    STORE(JOIN(fold, FOLDED)(values + row * LENGTH), sums + row);
  return row;
}

#endif

#endif
