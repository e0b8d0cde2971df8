// Run ahead: one launch, every value read from memory once and every sum written once. Groups stay to the end; each
// takes tile after tile, and computes the sum of a tile two turns before it scans it. The sum before its tile is the
// sum up to the end of its last one, plus the sums of the tiles since, which other groups have published two turns ago:
// no group waits for long, and copies of the next tiles proceed meanwhile.
//
//     for my tiles, in the order of their numbers
//       publish the sum of the tile after the next
//       before += sums of all tiles between my last one and this
//       scan my tile from there;   copy the next unassigned one to its place;   before += its sum
//
// An alternative to looking back from group to group for a sum that is whole (look_back.cl): there is one round trip
// through memory a tile, and not one for every 32 tiles looked at. Sums travel as words with the number of the run in
// them, so that none need clearing. For NVIDIA's devices. The host defines VECTORS, those of an item in a tile, and
// AT_ONCE where there are no more tiles than groups at a time.
#include "opencl/runtime/kernels/copies.h"
#include "opencl/runtime/kernels/fill_eighths.h"
#include "opencl/runtime/kernels/groups.h"
#include "opencl/runtime/kernels/warps.h"

#define WARPS (GROUP_X / WARP)
#define TILE ((ulong)GROUP_X * VECTORS * LANES)
#define AHEAD 2           /* tiles between the one that is scanned and the one whose sum is published */
#define SLOTS (AHEAD + 1) /* tiles in local memory */
#define TOTALS (AHEAD + 2)

/// A vector that will not be read again soon.
#ifdef DOUBLES
FN void store_past_caches(global SCALAR* to, REAL v) {
  asm volatile("st.global.cs.v2.f64 [%0], {%1, %2};" ::"l"(to), "d"(v.x), "d"(v.y) : "memory");
}
#else
FN void store_past_caches(global SCALAR* to, REAL v) {
  asm volatile("st.global.cs.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(to), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w)
               : "memory");
}
#endif

FN int after(int place, int places) { return place + 1 == places ? 0 : place + 1; }

/// v becomes its prefix sums.
#if LANES == 4
FN REAL prefix_sums(REAL v) {
  const SCALAR two = v.x + v.y, other_two = v.z + v.w;
  return VECTOR(REAL)(v.x, two, two + v.z, two + other_two);
}
#define LAST_OF(v) (v).w
#else
FN REAL prefix_sums(REAL v) { return VECTOR(REAL)(v.x, v.x + v.y); }
#define LAST_OF(v) (v).y
#endif

// The sum of tile number `tile` in `words`, with the number of the run: a float in one word, a double in two.
#ifdef DOUBLES
FN void publish_sum(volatile global ulong* words, uint tile, uint run, SCALAR sum) {
  const ulong bits = as_ulong(sum), tag = (ulong)run << 32;
  store_word(words + 2 * (ulong)tile, tag | (bits & 0xffffffffu));
  store_word(words + 2 * (ulong)tile + 1, tag | (bits >> 32));
}
FN SCALAR published_sum(volatile global ulong* words, uint tile, uint run) {
  ulong low, high;
  do {
    low = load_word(words + 2 * (ulong)tile);
    high = load_word(words + 2 * (ulong)tile + 1);
  } while ((uint)(low >> 32) != run || (uint)(high >> 32) != run);
  return as_double((low & 0xffffffffu) | (high << 32));
}
#else
FN void publish_sum(volatile global ulong* words, uint tile, uint run, SCALAR sum) {
  store_word(words + tile, (ulong)run << 32 | as_uint(sum));
}
FN SCALAR published_sum(volatile global ulong* words, uint tile, uint run) {
  ulong word;
  do word = load_word(words + tile);
  while ((uint)(word >> 32) != run);
  return as_float((uint)word);
}
#endif

/// Start of this item's vector 0 in a tile. Its next vectors are WARP vectors further on: those of a warp are
/// neighbours.
FN ulong first_of_item(uint tile, int item) {
  return tile * TILE + ((ulong)(item / WARP) * VECTORS * WARP + item % WARP) * LANES;
}

/// Starts to copy this item's part of a tile; the last tile is filled up with zeros.
FN void start_tile(global const SCALAR* restrict values, ulong count, uint tile, int item, local REAL* slot) {
  global const SCALAR* const from = values + first_of_item(tile, item);
  if ((tile + 1) * TILE <= count) {
    UNROLLED for (int i = 0; i < VECTORS; ++i)
        start_vector_copy((global const REAL*)(from + i * WARP * LANES), slot + i * GROUP_X + item);
  } else if (tile * TILE < count) {
    const ulong first = first_of_item(tile, item);
    for (int i = 0; i < VECTORS; ++i) slot[i * GROUP_X + item] = vector_at(values, first + i * WARP * LANES, count);
  }
  end_of_copies();
}

/// The sum of this warp's part of a tile, for all its lanes.
FN SCALAR sum_of_warp(local const REAL* slot, int item) {
  REAL sum = 0;
  UNROLLED for (int i = 0; i < VECTORS; ++i) sum += slot[i * GROUP_X + item];
  return sum_across(sum_of_lanes(sum), WARP);
}

FN SCALAR value_of_warp(local const SCALAR* of_warps, int lane) { return lane < WARPS ? of_warps[lane] : 0; }

/// Each of `count` values of this lane becomes the sum of those of the lanes up to it, of `lanes` lanes.
FN void sum_up_to_lane(SCALAR* values, int count, int lane, int lanes) {
  UNROLLED for (int distance = 1; distance < lanes; distance *= 2) {
    UNROLLED for (int i = 0; i < count; ++i) {
      const SCALAR other = scalar_from_below(values[i], distance);
      if (lane >= distance) values[i] += other;
    }
  }
}

/// Stores this item's part of a tile: `scanned`: prefix sums within each of its vectors; `up_to_item`: sums of the
/// warp's vectors up to each; `from`: the sum before the warp.
FN void store_tile(const REAL* scanned, const SCALAR* up_to_item, SCALAR from, global SCALAR* restrict sums,
                   ulong count, uint tile, int item) {
  const int lane = item % WARP;
  const bool is_whole = (tile + 1) * TILE <= count;
  const ulong first = first_of_item(tile, item);
  UNROLLED for (int i = 0; i < VECTORS; ++i) {
    const SCALAR before_item = scalar_from_below(up_to_item[i], 1);
    const REAL result = scanned[i] + VECTOR(REAL)(lane > 0 ? from + before_item : from);
    from += scalar_of_lane(up_to_item[i], WARP - 1);
    const ulong at = first + i * WARP * LANES;
    if (is_whole) {
      store_past_caches(sums + at, result);
    } else {
      SCALAR lanes[LANES];
      STORE_IN(private, result, lanes);
      for (int j = 0; j < LANES; ++j)
        if (at + j < count) sums[at + j] = lanes[j];
    }
  }
}

#ifndef AT_ONCE

LARGE_LOCAL_BYTES(scan_ahead, sizeof(REAL) * SLOTS * VECTORS * GROUP_X)

/// sums[i] = values[0] + ... + values[i], in `tiles` tiles. `words`: of every tile its sum; `tickets`: how many have
/// ever been taken, which is `first_ticket` when the launch begins. Each group takes SLOTS + 1 tickets, and one a tile.
kernel GROUP_OF(GROUP_X) void scan_ahead(uint run, uint first_ticket, global const SCALAR* restrict values, ulong count,
                                         global SCALAR* restrict sums, volatile global ulong* words, uint tiles,
                                         volatile global uint* tickets) {
  LARGE_LOCAL_ARRAY(REAL, slots, [SLOTS * VECTORS * GROUP_X]);
  LOCAL_VARIABLE SCALAR totals[TOTALS][WARPS], since[2][WARPS];
  LOCAL_VARIABLE uint first_tiles[SLOTS], new_tiles[2];
  const int item = get_local_id(0), lane = item % WARP, warp = item / WARP;
  uint ticket = 0, mine[SLOTS];  // my next tiles
  // One after the other, so that groups that begin together have a tile each before one of them has its second.
  UNROLLED for (int i = 0; i < SLOTS; ++i) {
    if (item == 0) first_tiles[i] = count_up(tickets) - first_ticket;
    barrier(CLK_LOCAL_MEM_FENCE);
    mine[i] = first_tiles[i];
    start_tile(values, count, mine[i], item, slots + i * VECTORS * GROUP_X);
  }
  if (item == 0) ticket = count_up(tickets);
  WAIT_FOR_COPIES_BUT(SLOTS - AHEAD);
  UNROLLED for (int i = 0; i < AHEAD; ++i) {
    if (mine[i] >= tiles) continue;
    const SCALAR sum = sum_of_warp(slots + i * VECTORS * GROUP_X, item);
    if (lane == 0) totals[i][warp] = sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  UNROLLED for (int i = 0; i < AHEAD; ++i) {
    if (warp != 0 || mine[i] >= tiles) continue;
    const SCALAR sum = sum_across(value_of_warp(totals[i], lane), WARP);
    if (lane == 0) publish_sum(words, mine[i], run, sum);
  }
  SCALAR before = 0;  // all tiles up to my last one
  uint next = 0;      // the tile behind that
  int slot = 0, slot_ahead = AHEAD, total = 0, total_ahead = AHEAD, side = 0;
  while (mine[0] < tiles) {
    WAIT_FOR_COPIES_BUT(SLOTS - 1 - AHEAD);
    if (mine[AHEAD] < tiles) {
      const SCALAR sum = sum_of_warp(slots + slot_ahead * VECTORS * GROUP_X, item);
      if (lane == 0) totals[total_ahead][warp] = sum;
    }
    SCALAR sums_since = 0;
    for (uint tile = next + item; tile < mine[0]; tile += GROUP_X) sums_since += published_sum(words, tile, run);
    sums_since = sum_across(sums_since, WARP);
    if (lane == 0) since[side][warp] = sums_since;
    if (item == 0) {
      new_tiles[side] = ticket - first_ticket;
      ticket = count_up(tickets);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (warp == 0 && mine[AHEAD] < tiles) {
      const SCALAR sum = sum_across(value_of_warp(totals[total_ahead], lane), WARP);
      if (lane == 0) publish_sum(words, mine[AHEAD], run, sum);
    }
    before += sum_across(value_of_warp(since[side], lane), WARP);
    SCALAR up_to_warp = value_of_warp(totals[total], lane);
    sum_up_to_lane(&up_to_warp, 1, lane, WARPS);
    const SCALAR before_warp = scalar_of_lane(up_to_warp, max(warp - 1, 0));
    const SCALAR from = before + (warp > 0 ? before_warp : 0);
    before += scalar_of_lane(up_to_warp, WARPS - 1);

    REAL scanned[VECTORS];
    SCALAR up_to_item[VECTORS];
    local REAL* const here = slots + slot * VECTORS * GROUP_X;
    UNROLLED for (int i = 0; i < VECTORS; ++i) {
      scanned[i] = prefix_sums(here[i * GROUP_X + item]);
      up_to_item[i] = LAST_OF(scanned[i]);
    }
    start_tile(values, count, new_tiles[side], item, here);
    sum_up_to_lane(up_to_item, VECTORS, lane, WARP);
    store_tile(scanned, up_to_item, from, sums, count, mine[0], item);
    next = mine[0] + 1;
    UNROLLED for (int i = 0; i < AHEAD; ++i) mine[i] = mine[i + 1];
    mine[AHEAD] = new_tiles[side];
    side ^= 1;
    slot = after(slot, SLOTS);
    slot_ahead = after(slot_ahead, SLOTS);
    total = after(total, TOTALS);
    total_ahead = after(total_ahead, TOTALS);
  }
}

#else

/// The same where each group has one tile, in registers, and all of them run at once: tickets would be no use.
kernel GROUP_OF(GROUP_X) void scan_at_once(uint run, global const SCALAR* restrict values, ulong count,
                                           global SCALAR* restrict sums, volatile global ulong* words) {
  LOCAL_VARIABLE SCALAR totals[WARPS], since[WARPS];
  const int item = get_local_id(0), lane = item % WARP, warp = item / WARP;
  const uint tile = get_group_id(0);
  const ulong first = first_of_item(tile, item);
  REAL scanned[VECTORS];
  SCALAR up_to_item[VECTORS], of_warp = 0;
  UNROLLED for (int i = 0; i < VECTORS; ++i) scanned[i] = vector_at(values, first + i * WARP * LANES, count);
  UNROLLED for (int i = 0; i < VECTORS; ++i) {
    scanned[i] = prefix_sums(scanned[i]);
    up_to_item[i] = LAST_OF(scanned[i]);
  }
  sum_up_to_lane(up_to_item, VECTORS, lane, WARP);
  UNROLLED for (int i = 0; i < VECTORS; ++i) of_warp += scalar_of_lane(up_to_item[i], WARP - 1);
  if (lane == 0) totals[warp] = of_warp;
  barrier(CLK_LOCAL_MEM_FENCE);
  SCALAR up_to_warp = value_of_warp(totals, lane);
  sum_up_to_lane(&up_to_warp, 1, lane, WARPS);
  const SCALAR before_warp = scalar_of_lane(up_to_warp, max(warp - 1, 0));
  if (item == WARPS - 1) publish_sum(words, tile, run, up_to_warp);  // which here is all of the tile
  SCALAR before = 0;
  for (uint other = item; other < tile; other += GROUP_X) before += published_sum(words, other, run);
  before = sum_across(before, WARP);
  if (lane == 0) since[warp] = before;
  barrier(CLK_LOCAL_MEM_FENCE);
  before = sum_across(value_of_warp(since, lane), WARP);
  store_tile(scanned, up_to_item, before + (warp > 0 ? before_warp : 0), sums, count, tile, item);
}

#endif
