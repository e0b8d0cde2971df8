// Split tiling: for processors. A launch does several steps, each a level, on TILES tiles of rows; a second one does
// them on the gaps between tiles. A work-group is one item with a tile or a gap, which are independent within a launch
// (drawn in common/cpu/split_tiling.hpp). It advances the steps together, a few rows of each at a time while they are
// in its cache: level s is one row behind level s - 1.
//
//     for my waves   for all levels s   rows wave - s:   next = 0.2 (...);   changes[s] += |next - centre|
#include "walk.h"

FN int first_row(int tile) { return (int)((long)HEIGHT * tile / TILES); }

/// `levels` steps, TIME_BLOCK of them or fewer, the first from `here` to `there`, the next back, and so on. The sum of
/// level s goes to partial_sums[first_sum + s * 2 * TILES + group], after TILES others if is_gap.
HEAT_KERNEL advance_tiles(int first_sum, int levels, int is_gap, global SCALAR* here, global SCALAR* there,
                          global SCALAR* restrict partial_sums) {
  const int tile = get_group_id(0), north = first_row(tile + 1);
  const int begin = is_gap ? north : first_row(tile),
            end = is_gap && tile == TILES - 1 ? begin - 2 * TIME_BLOCK : north;
  const int begin_lean = is_gap ? -1 : tile > 0, end_lean = is_gap ? 1 : tile < TILES - 1 ? -1 : 0;
  SCALAR changes[TIME_BLOCK];
  for (int level = 0; level < levels; ++level) changes[level] = 0;
  for (int first = begin; first < end + (end_lean + 1) * (levels - 1); first += AT_ONCE)
    for (int level = 0; level < levels; ++level) {
      global SCALAR *const from = level % 2 == 0 ? here : there, *const to = level % 2 == 0 ? there : here;
      changes[level] += walk(from, to, max(first - level, begin + level * begin_lean),
                             min(first - level + AT_ONCE, end + level * end_lean));
    }
  for (int level = 0; level < levels; ++level)
    partial_sums[first_sum + level * 2 * TILES + is_gap * TILES + tile] = changes[level];
}
