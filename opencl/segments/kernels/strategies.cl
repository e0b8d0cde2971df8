// Segmented sums by the published strategies (Ynddal, "Transform Array Operations to Optimize Memory Access for GPGPU",
// 2019), which are one kernel with two parameters: SPAN neighbouring items share a segment, and UNIT items hold as many
// whole segments as fit.
//
//   strategy       UNIT        SPAN, up to UNIT
//   serial         1           1                   an item walks along a segment: neighbours read memory far apart
//   packed         the group   length              segments lie side by side, across borders of wavefronts
//   compact        wavefront   length              none across such a border; floor(32 / length) a wavefront
//   power-of-two   wavefront   next power of two   the first rounds of the wavefront's tree are all that is needed
//   group          the group   the group           all items on one segment
//
//     value = sum of values[pos], values[pos + SPAN] ...       pos: of an item among those of its segment
//     a tree over the SPAN items;   the first of them stores
//
// On NVIDIA devices a wavefront is a warp and waits only for itself; elsewhere the whole group waits. Items without a
// segment must still reach every barrier.
#include "opencl/runtime/kernels/fill_eighths.h"

#ifdef WARP_SHUFFLES
#include "opencl/runtime/kernels/warps.h"
#endif

#if defined WARP_SHUFFLES && UNIT <= 32
#define WAIT warp_barrier()
#else
#define WAIT barrier(CLK_LOCAL_MEM_FENCE)
#endif
#define AT_ONCE (UNIT / SPAN)

/// sums[segment] of each segment. `s`: one value per item.
kernel GROUP_OF(GROUP_X) void sum_segments(global const SCALAR* restrict values, ulong segments, ulong length,
                                           global SCALAR* restrict sums, LOCAL_PARAMETER(SCALAR) s) {
  const int item = get_local_id(0), place = item % UNIT, pos = place % SPAN;
  const ulong number = (get_group_id(0) * (ulong)(GROUP_X / UNIT) + item / UNIT) * AT_ONCE + place / SPAN;
  const int is_active = place / SPAN < AT_ONCE && number < segments;
  SCALAR value = 0;
  if (is_active) {
    global const SCALAR* const of_segment = values + number * length;
#pragma unroll 4
    for (ulong i = pos; i < length; i += SPAN) value += of_segment[i];
  }
#if SPAN > 1
  s[item] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
#if (SPAN & (SPAN - 1)) == 0
  for (int active = SPAN / 2; active > 0; active /= 2) {
    if (pos < active) s[item] += s[item + active];
    WAIT;
  }
#else
  for (int distance = 1; distance < SPAN; distance *= 2) {
    if (is_active && pos % (2 * distance) == 0 && pos + distance < SPAN) s[item] += s[item + distance];
    WAIT;
  }
#endif
  value = s[item];
#endif
  if (is_active && pos == 0) sums[number] = value;
}
