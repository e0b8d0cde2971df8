// Look-back for processors (look_back.cl): a few items, each of which takes tile after tile, until there are none. What
// an item has read for the sum it finds in its second-level cache when it scans.
//
//     tile = number of tiles that were taken            so that the tile before has been taken too, by one at work
//     sum = of the tile's values
//     wait for what all tiles before come to;   publish that + sum;   scan the tile from there, in vectors
#include "opencl/runtime/kernels/fill_eighths.h"

#include "opencl/runtime/kernels/groups.h"

FN SCALAR sum_of_tile(global const SCALAR* restrict from, int there_are) {
  REAL a = 0, b = 0, c = 0, d = 0;
  int i = 0;
  for (; i + 4 * LANES <= there_are; i += 4 * LANES) {
    a += LOAD(from + i);
    b += LOAD(from + i + LANES);
    c += LOAD(from + i + 2 * LANES);
    d += LOAD(from + i + 3 * LANES);
  }
  SCALAR sum = sum_of_lanes((a + b) + (c + d));
  for (; i < there_are; ++i) sum += from[i];
  return sum;
}

/// Lane i becomes the sum of lanes 0 .. i.
FN REAL sums_of_lanes(REAL v) {
#if LANES == 16
  v += (REAL)(0, v.s01234567, v.s89ab, v.scde);
  v += (REAL)(0, 0, v.s01234567, v.s89ab, v.scd);
  v += (REAL)((JOIN(SCALAR, 4))0, v.s01234567, v.s89ab);
  v += (REAL)((JOIN(SCALAR, 8))0, v.lo);
#elif LANES == 8
  v += (REAL)(0, v.s0123, v.s456);
  v += (REAL)(0, 0, v.s0123, v.s45);
  v += (REAL)((JOIN(SCALAR, 4))0, v.lo);
#elif LANES == 4
  v += (REAL)(0, v.s012);
  v += (REAL)(0, 0, v.lo);
#elif LANES == 2
  v += (REAL)(0, v.lo);
#endif
  return v;
}
#if LANES == 1
#define LAST(v) (v)
#elif LANES == 2
#define LAST(v) (v).s1
#elif LANES == 4
#define LAST(v) (v).s3
#elif LANES == 8
#define LAST(v) (v).s7
#else
#define LAST(v) (v).sf
#endif

/// sums[i] = `before` + values up to i.
FN void scan_tile(global const SCALAR* restrict values, int there_are, SCALAR before, global SCALAR* restrict sums) {
  int i = 0;
  for (; i + LANES <= there_are; i += LANES) {
    const REAL v = sums_of_lanes(LOAD(values + i));
    STORE(v + before, sums + i);
    before += LAST(v);
  }
  for (; i < there_are; ++i) {
    before += values[i];
    sums[i] = before;
  }
}

/// `flags`: of each tile the number of the run in which its prefix was published; `tickets`: as many as were taken in
/// all runs before.
kernel GROUP_OF(GROUP_X) void scan_tiles(uint run, uint first_ticket, global const SCALAR* restrict values, ulong count,
                                         global SCALAR* restrict sums, uint tiles, volatile global uint* flags,
                                         volatile global SCALAR* prefixes, volatile global uint* tickets) {
  for (;;) {
    const uint tile = count_up(tickets) - first_ticket;
    if (tile >= tiles) return;
    const ulong first = tile * (ulong)EACH;
    const int there_are = (int)min((ulong)EACH, count - first);
    const SCALAR sum = sum_of_tile(values + first, there_are);
    SCALAR before = 0;
    if (tile > 0) {
      while (load_flag(flags + tile - 1) != run) continue;
      see_what_was_published();
      before = prefixes[tile - 1];
    }
    prefixes[tile] = before + sum;
    publish();
    store_flag(flags + tile, run);
    scan_tile(values + first, there_are, before, sums + first);
  }
}
