// Pieces: for long segments. A group has a segment, or one of the `parts` of a segment, and reads it in vectors, with
// AT_ONCE of an item's loads in flight; values before the first and after the last whole vector are read separately.
//
//     for my vectors   sum += vector;   sum of the group = lanes of all sums, and the ends
#include "opencl/runtime/kernels/fill_eighths.h"
#include "opencl/runtime/kernels/reduction.h"

#define AT_ONCE 4

/// sums[segment * parts + part] of each part of each segment. `scratch`: one value per item.
kernel GROUP_OF(GROUP_X) void sum_pieces(global const SCALAR* restrict values, ulong length, uint parts,
                                         global SCALAR* restrict sums, LOCAL_PARAMETER(SCALAR) scratch) {
  const int item = get_local_id(0);
  const ulong number = get_group_id(0), segment = number / parts, part = number % parts;
  const ulong begin = segment * length + length * part / parts, end = segment * length + length * (part + 1) / parts;
  const ulong first = min((begin + LANES - 1) / LANES * LANES, end), last = max(end / LANES * LANES, first);
  SCALAR ends = 0;
  if (begin + item < first) ends += values[begin + item];
  if (last + item < end) ends += values[last + item];
  global const REAL* const vectors = (global const REAL*)values;
  const ulong behind = last / LANES;
  REAL sum = 0;
  ulong i = first / LANES + item;
  for (; i + (AT_ONCE - 1) * GROUP_X < behind; i += AT_ONCE * GROUP_X) {
    REAL read[AT_ONCE];
    UNROLLED for (int j = 0; j < AT_ONCE; ++j) read[j] = vectors[i + j * GROUP_X];
    UNROLLED for (int j = 0; j < AT_ONCE; ++j) sum += read[j];
  }
#pragma unroll 4
  for (; i < behind; i += GROUP_X) sum += vectors[i];
  const SCALAR all = work_group_sum(ends + sum_of_lanes(sum), scratch);
  if (item == 0) sums[number] = all;
}
