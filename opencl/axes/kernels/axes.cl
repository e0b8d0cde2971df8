// Access patterns (Ynddal, "Transform Array Operations to Optimize Memory Access for GPGPU", 2019): which axis
// neighbouring work-items lie along. The host defines one of
//
//   OUTER      an item for each index of the outermost axis that is left: neighbours n^2 or n^3 elements apart
//   INNER      of the innermost one: if that is the array's last axis, neighbours are neighbours in memory
//   INNER3     an item for each index of all three: the same, and n^2 times as many items
//   SEGMENTED  as INNER3; along the last axis a wavefront of 32 items adds up a row together
#include "opencl/runtime/kernels/fill_eighths.h"

#ifdef WARP_SHUFFLES
#include "opencl/runtime/kernels/warps.h"
#define WAIT warp_barrier()
#else
#define WAIT barrier(CLK_LOCAL_MEM_FENCE)
#endif

/// filled[i][j][k][l] = 1.
kernel void fill_ones(global SCALAR* restrict filled, uint n) {
  const uint item = get_global_id(0);
  const size_t plane = (size_t)n * n, cube = plane * n;
#if defined OUTER
  if (item < n)
    for (size_t i = 0; i < cube; ++i) filled[item * cube + i] = 1;
#elif defined INNER
  if (item < n)
    for (size_t i = 0; i < cube; ++i) filled[i * n + item] = 1;
#else
  if (item < cube)
    for (uint i = 0; i < n; ++i) filled[i * cube + item] = 1;
#endif
}

/// One sum along its axis.
FN SCALAR sum_along(global const SCALAR* restrict from, uint n, ulong stride) {
  SCALAR sum = 0;
  for (uint i = 0; i < n; ++i) sum += from[i * stride];
  return sum;
}

/// sums[outer][middle][inner]; the strides are those of the axes in the array.
kernel void add_up(global const SCALAR* restrict values, uint n, ulong reduced, ulong outer, ulong middle, ulong inner,
                   global SCALAR* restrict sums) {
  const uint item = get_global_id(0);
#if defined OUTER
  if (item < n)
    for (uint j = 0; j < n; ++j)
      for (uint k = 0; k < n; ++k)
        sums[((size_t)item * n + j) * n + k] = sum_along(values + item * outer + j * middle + k * inner, n, reduced);
#elif defined INNER
  if (item < n)
    for (uint i = 0; i < n; ++i)
      for (uint j = 0; j < n; ++j)
        sums[((size_t)i * n + j) * n + item] = sum_along(values + i * outer + j * middle + item * inner, n, reduced);
#else
  if (item < n * n * n)
    sums[item] = sum_along(values + item / (n * n) * outer + item / n % n * middle + item % n * inner, n, reduced);
#endif
}

/// The last axis: 32 items per row, contiguous in memory.
kernel GROUP_OF(GROUP_X) void add_up_rows(global const SCALAR* restrict values, uint n, global SCALAR* restrict sums,
                                          LOCAL_PARAMETER(SCALAR) s) {
  const int item = get_local_id(0), place = item % 32;
  const ulong row = get_group_id(0) * (ulong)(GROUP_X / 32) + item / 32;
  const int is_active = row < (ulong)n * n * n;
  SCALAR sum = 0;
  if (is_active)
    for (uint i = place; i < n; i += 32) sum += values[row * n + i];
  s[item] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int active = 16; active > 0; active /= 2) {
    if (place < active) s[item] += s[item + active];
    WAIT;
  }
  if (is_active && place == 0) sums[row] = s[item];
}
