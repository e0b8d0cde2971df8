// Look-back: one launch, every value read from memory once and every sum written once (Merrill and Garland,
// "Single-pass parallel prefix scan with decoupled look-back", 2016).
//
//     ticket = number of groups that have begun       so that all groups before this one have begun too, and will end
//     publish the sum of my tile
//     look back: add up sums of the tiles before mine, as far as one whose prefix is known
//     publish my prefix;   scan my tile from there
//
// An item has EACH values in a row; what it has read for the sum it finds in a cache when it scans. Flags carry the
// number of the run, so that they need not be cleared: of a run they are NOTHING, then SUM, then PREFIX.
#include "opencl/runtime/kernels/fill_eighths.h"

#include "opencl/runtime/kernels/groups.h"

#define TILE (GROUP_X * (size_t)EACH)
#if GROUP_X < 32
#define WINDOW GROUP_X
#else
#define WINDOW 32 /* tiles that are looked at together */
#endif
#define SUM 1
#define PREFIX 2

/// The sum of up to EACH values from `from` on.
FN SCALAR sum_of_item(global const SCALAR* restrict from, int there_are) {
  SCALAR sum = 0;
  if (there_are == EACH) {
    REAL part = 0;
#pragma unroll 8
    for (int i = 0; i < EACH; i += LANES) part += LOAD(from + i);
    sum = sum_of_lanes(part);
  } else {
    for (int i = 0; i < there_are; ++i) sum += from[i];
  }
  return sum;
}

/// An item's own prefix sums, from `sum` on. Of four values the sums among themselves come first, so that no more than
/// one addition in four waits for another.
FN void scan_item(global const SCALAR* restrict values, int there_are, SCALAR sum, global SCALAR* restrict sums) {
  int i = 0;
  for (; i + 4 <= there_are; i += 4) {
    const SCALAR a = values[i], b = a + values[i + 1], c = values[i + 2], all_four = b + (c + values[i + 3]);
    sums[i] = sum + a;
    sums[i + 1] = sum + b;
    sums[i + 2] = sum + (b + c);
    sum += all_four;
    sums[i + 3] = sum;
  }
  for (; i < there_are; ++i) {
    sum += values[i];
    sums[i] = sum;
  }
}

/// s[item] becomes the sum of s[0] .. s[item].
FN void scan_items(local SCALAR* s, int item) {
  for (int distance = 1; distance < GROUP_X; distance *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const SCALAR before = item >= distance ? s[item - distance] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    s[item] += before;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

/// `state`: a flag per tile; `tile_sums` and `prefixes`: a value per tile; `tickets`: 0, and 0 again afterwards.
kernel GROUP_OF(GROUP_X) void scan_tiles(uint run, global const SCALAR* restrict values, ulong count,
                                         global SCALAR* restrict sums, volatile global uint* state,
                                         volatile global SCALAR* tile_sums, volatile global SCALAR* prefixes,
                                         volatile global uint* tickets, LOCAL_PARAMETER(SCALAR) scratch) {
  LOCAL_VARIABLE int ticket, is_found;
  LOCAL_VARIABLE SCALAR before_tile;
  LOCAL_VARIABLE SCALAR window_values[WINDOW];
  LOCAL_VARIABLE int window_is_prefix[WINDOW];
  const int item = get_local_id(0);
  const uint nothing = run * 4;
  local SCALAR* const s = scratch;
  if (item == 0) {
    ticket = (int)count_up(tickets);
    if (ticket == (int)get_num_groups(0) - 1) store_flag(tickets, 0);
    before_tile = 0;
    is_found = ticket == 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const int tile = ticket;
  const size_t first = tile * TILE + item * (size_t)EACH;
  const int there_are = first >= count ? 0 : (int)min((ulong)EACH, (ulong)(count - first));
  s[item] = sum_of_item(values + first, there_are);
  barrier(CLK_LOCAL_MEM_FENCE);
  scan_items(s, item);
  if (item == 0) {
    tile_sums[tile] = s[GROUP_X - 1];
    publish();
    if (tile > 0) store_flag(state + tile, nothing + SUM);
  }
  // Look back, a window of tiles at a time, the nearest first.
  for (int nearest = tile - 1; !is_found; nearest -= WINDOW) {
    if (item < WINDOW) {
      const int other = nearest - item;
      uint flag = nothing + PREFIX;  // before the first tile there is nothing
      if (other >= 0) do
          flag = load_flag(state + other);
        while (flag < nothing + SUM || flag > nothing + PREFIX);
      see_what_was_published();
      window_is_prefix[item] = flag == nothing + PREFIX;
      window_values[item] = other < 0 ? 0 : flag == nothing + PREFIX ? prefixes[other] : tile_sums[other];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0)
      for (int i = 0; i < WINDOW && !is_found; ++i) {
        before_tile += window_values[i];
        is_found = window_is_prefix[i];
      }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (item == 0) {
    prefixes[tile] = before_tile + s[GROUP_X - 1];
    publish();
    store_flag(state + tile, nothing + PREFIX);
  }
  const SCALAR sum = before_tile + (item > 0 ? s[item - 1] : 0);
  scan_item(values + first, there_are, sum, sums + first);
}
