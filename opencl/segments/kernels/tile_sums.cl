// Tiles: for segments of which several fit in local memory. A group reads its tile of SEGMENTS whole segments in
// vectors, all loads of an item before the first use, so that memory is read as in a copy for any length; then SPAN
// items share a segment, which they read from local memory.
//
//     tile = my group's segments, LANES neighbours of one segment added up on the way
//     for my segments   value = sum of pos, pos + SPAN, ...;   a tree over the SPAN items;   the first of them stores
//
// The host defines LENGTH, SEGMENTS, SPAN and VECTORS (vectors per item). SEGMENTS * LENGTH is a multiple of LANES.
#include "opencl/runtime/kernels/copies.h"
#include "opencl/runtime/kernels/fill_eighths.h"
#ifdef WARP_SHUFFLES
#include "opencl/runtime/kernels/warps.h"
#endif

#define TILE (SEGMENTS * LENGTH)

// Values of one segment in the same vector, and the number of values of a segment left after they are added up.
#if LENGTH % LANES == 0
#define TOGETHER LANES
#elif LENGTH % 2 == 0
#define TOGETHER 2
#else
#define TOGETHER 1
#endif
#define LEFT (LENGTH / TOGETHER)

// Items that walk along neighbouring segments would conflict in banks of local memory if LEFT is even.
#define BANKS 32
#if SPAN == 1 && LEFT % 2 == 0
#define PLACE(i) ((i) + (i) / BANKS)
#else
#define PLACE(i) (i)
#endif
#define PLACES (PLACE(TILE / TOGETHER - 1) + 1)

#define AT_ONCE (GROUP_X / SPAN)
#define ROUNDS ((SEGMENTS + AT_ONCE - 1) / AT_ONCE)

/// Stores the rest of a vector, with its `number` in the tile. If nothing is added up, it is stored as a vector,
/// because LANES items that store single values would conflict in banks.
FN void keep(REAL v, int number, local SCALAR* s) {
#if TOGETHER == LANES
  s[PLACE(number)] = sum_of_lanes(v);
#elif TOGETHER == 1
  ((local REAL*)s)[number] = v;
#else
  SCALAR lanes[LANES];
  STORE_IN(private, v, lanes);
  UNROLLED for (int i = 0; i < LANES / TOGETHER; ++i) s[PLACE(LANES / TOGETHER * number + i)] =
      lanes[2 * i] + lanes[2 * i + 1];
#endif
}

/// The sum over the SPAN items that share a segment, right in the first of them. `scratch`: one value per item.
FN SCALAR sum_of_span(SCALAR value, local SCALAR* scratch) {
#if SPAN == 1
  return value;
#elif defined WARP_SHUFFLES
  return sum_across(value, SPAN);
#else
  const int item = get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);  // the round before
  scratch[item] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int active = SPAN / 2; active > 0; active /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item % SPAN < active) scratch[item] += scratch[item + active];
  }
  return scratch[item];
#endif
}

/// sums[segment] of `segments` segments. `scratch`: one value per item.
kernel GROUP_OF(GROUP_X) void sum_tiles(global const SCALAR* restrict values, ulong segments,
                                        global SCALAR* restrict sums, LOCAL_PARAMETER(SCALAR) scratch) {
  LOCAL_VARIABLE REAL tile[(PLACES + LANES - 1) / LANES];
  local SCALAR* const s = (local SCALAR*)tile;
  const int item = get_local_id(0), pos = item % SPAN;
  const ulong first_segment = get_group_id(0) * (ulong)SEGMENTS, first = first_segment * LENGTH,
              count = segments * LENGTH;
#if TOGETHER == 1 && defined ASYNCHRONOUS_COPIES
  // Values that are stored unchanged are copied to local memory directly.
  if (first + TILE <= count) {
    global const REAL* const from = (global const REAL*)(values + first);
    UNROLLED for (int i = 0; i < VECTORS; ++i) {
      const int number = i * GROUP_X + item;
      if (number < TILE / LANES) start_vector_copy(from + number, tile + number);
    }
    wait_for_copies();
  } else {
    UNROLLED for (int i = 0; i < VECTORS; ++i) {
      const int number = i * GROUP_X + item;
      if (number < TILE / LANES) keep(vector_at(values, first + (ulong)LANES * number, count), number, s);
    }
  }
#else
  REAL read[VECTORS];
  if (first + TILE <= count) {
    global const REAL* const from = (global const REAL*)(values + first);
    UNROLLED for (int i = 0; i < VECTORS; ++i) {
      if (i * GROUP_X + item < TILE / LANES) read[i] = from[i * GROUP_X + item];
    }
  } else {
    UNROLLED for (int i = 0; i < VECTORS; ++i) read[i] =
        vector_at(values, first + (ulong)LANES * (i * GROUP_X + item), count);
  }
  UNROLLED for (int i = 0; i < VECTORS; ++i) {
    const int number = i * GROUP_X + item;
    if (number < TILE / LANES) keep(read[i], number, s);
  }
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
#if SPAN == 1
#pragma unroll 4
#endif
  for (int round = 0; round < ROUNDS; ++round) {
    const int mine = round * AT_ONCE + item / SPAN;
    SCALAR value = 0;
    if (mine < SEGMENTS) {
#pragma unroll 8
      for (int i = pos; i < LEFT; i += SPAN) value += s[PLACE(mine * LEFT + i)];
    }
    value = sum_of_span(value, scratch);
    if (pos == 0 && mine < SEGMENTS && first_segment + mine < segments) sums[first_segment + mine] = value;
  }
}
