// Bandwidth of a device's memories: read, copy, triad and update over buffers of any size, and reads of local memory.
// The host defines LANES (numbers in a vector), GROUP (work-items in a group) and CONSECUTIVE.
//
// Buffers are cut into tiles of 4 * GROUP vectors. A group processes one tile at a time: neighbouring items read
// neighbouring vectors, with four loads per item in flight. Which tiles:
//   CONSECUTIVE 0 (GPUs): every num_groups-th, and in each pass the next group's, so that data in a compute unit's own
//   cache do not serve its next pass;
//   CONSECUTIVE 1 (CPUs): consecutive tiles, so that a core's share of the buffer is its working set.
#include "opencl/runtime/kernels/pack.h"

struct Share {
  uint first, end, step;
};

FN struct Share tiles_of_group(uint tiles) {
  const uint groups = get_num_groups(0), group = get_group_id(0);
  struct Share share;
#if CONSECUTIVE
  const uint length = (tiles + groups - 1) / groups;
  share.first = min(group * length, tiles);
  share.end = min(share.first + length, tiles);
  share.step = 1;
#else
  share.first = group;
  share.end = tiles;
  share.step = groups;
#endif
  return share;
}

/// Start of this item's part of a tile, in vectors; `offset` is below `tiles`.
FN size_t at_tile(uint tile, uint offset, uint tiles) {
  const uint moved = tile + offset < tiles ? tile + offset : tile + offset - tiles;
  return (size_t)moved * (4 * GROUP) + get_local_id(0);
}

FN uint next_offset(uint offset, uint tiles) { return CONSECUTIVE || offset + 1 == tiles ? 0 : offset + 1; }

/// Nothing is written: the sum of zeros is never negative, which the compiler cannot know.
kernel void read_tiles(uint passes, global const REAL* a, global SCALAR* sink, uint tiles) {
  const struct Share share = tiles_of_group(tiles);
  REAL sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;
  for (uint pass = 0, offset = 0; pass < passes; ++pass, offset = next_offset(offset, tiles))
    for (uint tile = share.first; tile < share.end; tile += share.step) {
      global const REAL* const from = a + at_tile(tile, offset, tiles);
      sum0 += from[0];
      sum1 += from[GROUP];
      sum2 += from[2 * GROUP];
      sum3 += from[3 * GROUP];
    }
  const SCALAR sum = sum_of_lanes(sum0 + sum1 + (sum2 + sum3));
  if (sum < 0) sink[get_local_id(0)] = sum;
}

kernel void copy_tiles(uint passes, global const REAL* a, global REAL* b, uint tiles) {
  const struct Share share = tiles_of_group(tiles);
  for (uint pass = 0, offset = 0; pass < passes; ++pass, offset = next_offset(offset, tiles))
    for (uint tile = share.first; tile < share.end; tile += share.step) {
      global const REAL* const from = a + at_tile(tile, offset, tiles);
      global REAL* const to = b + at_tile(tile, 0, tiles);
      const REAL v0 = from[0], v1 = from[GROUP], v2 = from[2 * GROUP], v3 = from[3 * GROUP];
      to[0] = v0;
      to[GROUP] = v1;
      to[2 * GROUP] = v2;
      to[3 * GROUP] = v3;
    }
}

kernel void triad_tiles(uint passes, global const REAL* a, global const REAL* b, global REAL* c, uint tiles,
                        SCALAR factor) {
  const struct Share share = tiles_of_group(tiles);
  for (uint pass = 0, offset = 0; pass < passes; ++pass, offset = next_offset(offset, tiles))
    for (uint tile = share.first; tile < share.end; tile += share.step) {
      const size_t from = at_tile(tile, offset, tiles);
      global REAL* const to = c + at_tile(tile, 0, tiles);
      const REAL v0 = a[from] + factor * b[from];
      const REAL v1 = a[from + GROUP] + factor * b[from + GROUP];
      const REAL v2 = a[from + 2 * GROUP] + factor * b[from + 2 * GROUP];
      const REAL v3 = a[from + 3 * GROUP] + factor * b[from + 3 * GROUP];
      to[0] = v0;
      to[GROUP] = v1;
      to[2 * GROUP] = v2;
      to[3 * GROUP] = v3;
    }
}

kernel void update_tiles(uint passes, global REAL* a, uint tiles, SCALAR summand) {
  const struct Share share = tiles_of_group(tiles);
  for (uint pass = 0, offset = 0; pass < passes; ++pass, offset = next_offset(offset, tiles))
    for (uint tile = share.first; tile < share.end; tile += share.step) {
      global REAL* const at = a + at_tile(tile, offset, tiles);
      const REAL v0 = at[0], v1 = at[GROUP], v2 = at[2 * GROUP], v3 = at[3 * GROUP];
      at[0] = v0 + summand;
      at[GROUP] = v1 + summand;
      at[2 * GROUP] = v2 + summand;
      at[3 * GROUP] = v3 + summand;
    }
}

/// Four vectors an item and round. The items' places rotate, because otherwise the loads would be done only once.
kernel void read_local(uint rounds, global SCALAR* sink) {
  local REAL tile[4 * GROUP];
  const uint item = get_local_id(0);
  for (uint i = 0; i < 4; ++i) tile[item + i * GROUP] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  REAL sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;
  for (uint round = 0, at = item; round < rounds; ++round, at = (at + 1) % GROUP) {
    sum0 += tile[at];
    sum1 += tile[at + GROUP];
    sum2 += tile[at + 2 * GROUP];
    sum3 += tile[at + 3 * GROUP];
  }
  const SCALAR sum = sum_of_lanes(sum0 + sum1 + (sum2 + sum3));
  if (sum < 0) sink[item] = sum;
}
