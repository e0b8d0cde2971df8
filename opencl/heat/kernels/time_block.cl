// Time block: TIME_BLOCK steps per launch; every value is read and written once for all of them. A strip of COLUMNS
// columns belongs to GROUP_X work-items, LANES to each, which march down its ROWS rows. While they read row r, they do
// row r - 1 of the first step, row r - 2 of the second, and so on, and keep only two previous rows of each in
// registers:
//
//     read row r                         step 0: rows r-2, r-1, r   ->   row r-1 of step 1
//                                        step 1: rows r-3, r-2, r-1 ->   row r-2 of step 2
//                                        ...
//     write row r - TIME_BLOCK           of step TIME_BLOCK
//
// The neighbours of an item's columns come from the adjacent item. With WARP_SHUFFLES a strip belongs to a warp,
// neighbours pass through registers, and a group is GROUP_Y strips below each other; otherwise a strip belongs to a
// group, and neighbours pass through local memory, with one barrier per row.
//
// At its edges a strip has no neighbours; wrong values move inwards from there by a cell per step, so HALO columns on
// each side and TIME_BLOCK rows above and below belong to other strips, which recompute them.
#include "plate.h"

#define COLUMNS (GROUP_X * LANES)
#define HALO ((TIME_BLOCK + LANES - 1) / LANES * LANES)
#define OWN_COLUMNS (COLUMNS - 2 * HALO)

typedef union {
  REAL vector;
  SCALAR lane[LANES];
} Row;

/// Values exchanged between the items of a group: the first and the last value of each item in a step.
typedef struct {
  SCALAR first[TIME_BLOCK][GROUP_X], last[TIME_BLOCK][GROUP_X];
} Edges;

/// The state of a work-item.
typedef struct {
  SCALAR centre[TIME_BLOCK][LANES];      // the last row of each step
  SCALAR with_upper[TIME_BLOCK][LANES];  // the sum of that and the row above it
  SCALAR changes[TIME_BLOCK];
  Row ahead;  // the next row
  int x, x_read, begin, end, levels;
  bool is_own;
#ifndef WARP_SHUFFLES
  local Edges* shown;  // in the last row
  local Edges* to_show;
  int number, before, behind;
#endif
} Item;

#ifdef WARP_SHUFFLES
FN SCALAR value_from_west(const Item* item, int level) { return value_of_lane_before(item->centre[level][LANES - 1]); }
FN SCALAR value_from_east(const Item* item, int level) { return value_of_next_lane(item->centre[level][0]); }
FN void show(Item* item, int level) {}
FN void meet(Item* item) {}
#else
FN SCALAR value_from_west(const Item* item, int level) { return item->shown->last[level][item->before]; }
FN SCALAR value_from_east(const Item* item, int level) { return item->shown->first[level][item->behind]; }
FN void show(Item* item, int level) {
  item->to_show->first[level][item->number] = item->centre[level][0];
  item->to_show->last[level][item->number] = item->centre[level][LANES - 1];
}
FN void meet(Item* item) {
  local Edges* const seen = item->shown;
  item->shown = item->to_show;
  item->to_show = seen;
  barrier(CLK_LOCAL_MEM_FENCE);
}
#endif

/// Loads LANES values of row r, or of the nearest row of the border, as the next ones. PoCL vectorises across
/// neighbouring items, but not if these use vectors already.
FN void read_row(Item* item, global const SCALAR* restrict from, int r) {
#ifdef WARP_SHUFFLES
  item->ahead.vector = CONST_VECTOR_AT(from, max(-1, min(r, HEIGHT)), item->x_read);
#else
  global const SCALAR* const row = &AT(from, max(-1, min(r, HEIGHT)), item->x_read);
  UNROLLED for (int lane = 0; lane < LANES; ++lane) item->ahead.lane[lane] = row[lane];
#endif
}
FN void write_row(const Item* item, global SCALAR* restrict to, int y, const Row* row) {
#ifdef WARP_SHUFFLES
  VECTOR_AT(to, y, item->x) = row->vector;
#else
  UNROLLED for (int lane = 0; lane < LANES; ++lane) AT(to, y, item->x + lane) = row->lane[lane];
#endif
}

/// Takes row r, and writes row r - TIME_BLOCK of the last step. is_inner: all cells involved are inside the plate, all
/// rows belong to the item and count, and all TIME_BLOCK steps are done.
FN void take_row(Item* item, global const SCALAR* restrict from, global SCALAR* restrict to, int r, bool is_inner) {
  Row lower = item->ahead;
  read_row(item, from, r + 1);
  UNROLLED for (int level = 0; level < TIME_BLOCK; ++level) {
    const int y = r - level - 1;
    const bool is_step = level < item->levels && y >= 0 && y < HEIGHT;
    const bool counts = y >= item->begin && y < item->end && COUNTS(y);
    const SCALAR west_most = value_from_west(item, level), east_most = value_from_east(item, level);
    SCALAR change = is_inner ? item->changes[level] : 0;
    SCALAR next[LANES];
    UNROLLED for (int lane = 0; lane < LANES; ++lane) {
      const SCALAR centre = item->centre[level][lane];
      const SCALAR west = lane == 0 ? west_most : item->centre[level][max(lane - 1, 0)];
      const SCALAR east = lane == LANES - 1 ? east_most : item->centre[level][min(lane + 1, LANES - 1)];
      const SCALAR mean = (SCALAR)0.2 * ((item->with_upper[level][lane] + lower.lane[lane]) + (west + east));
      const bool is_inside = item->x + lane >= 0 && item->x + lane < WIDTH;
      next[lane] = is_inner || (is_step && is_inside) ? mean : centre;
      change += fabs(next[lane] - centre);
    }
    if (is_inner)
      item->changes[level] = change;
    else if (counts)
      item->changes[level] += change;
    UNROLLED for (int lane = 0; lane < LANES; ++lane) {
      item->with_upper[level][lane] = item->centre[level][lane] + lower.lane[lane];
      item->centre[level][lane] = lower.lane[lane];
      lower.lane[lane] = next[lane];
    }
    show(item, level);
  }
  if (item->is_own && (is_inner || r - TIME_BLOCK >= item->begin)) write_row(item, to, r - TIME_BLOCK, &lower);
  meet(item);
}

/// `levels` steps, TIME_BLOCK of them or fewer; the rest of the march then only passes rows on. Sum s of this group
/// goes to partial_sums[first_sum + s * groups + group]. `scratch`: TIME_BLOCK values per work-item.
HEAT_KERNEL advance_block(BANDS_PARAMETER int first_sum, int levels, global const SCALAR* restrict from,
                          global SCALAR* restrict to, global SCALAR* restrict partial_sums,
                          LOCAL_PARAMETER(SCALAR) scratch) {
  const int number = get_local_id(0), first_column = (int)get_group_id(0) * OWN_COLUMNS - HALO;
  Item item;
  item.x = first_column + number * LANES;
  item.x_read = max(-LEAD, min(item.x, PITCH - LEAD - LANES));
  // If a group is one strip, the compiler must see that all its items have the same rows: shuffles among possibly
  // diverged items take twice as long.
  const int strip_down = (int)get_group_id(1) * GROUP_Y + (GROUP_Y > 1 ? (int)get_local_id(1) : 0);
  item.begin = FIRST_ROW(strip_down);
  item.end = min(item.begin + ROWS, END_ROW(strip_down));
  item.levels = levels;
  item.is_own = number * LANES >= HALO && number * LANES < HALO + OWN_COLUMNS && item.x < WIDTH;
#ifndef WARP_SHUFFLES
  LOCAL_VARIABLE Edges edges[2];
  item.shown = &edges[0];
  item.to_show = &edges[1];
  item.number = number;
  item.before = max(number - 1, 0);
  item.behind = min(number + 1, GROUP_X - 1);
#endif
  UNROLLED for (int level = 0; level < TIME_BLOCK; ++level) {
    item.changes[level] = 0;
    UNROLLED for (int lane = 0; lane < LANES; ++lane) item.centre[level][lane] = item.with_upper[level][lane] = 0;
    show(&item, level);
  }
  read_row(&item, from, item.begin - TIME_BLOCK);
  meet(&item);
  int r = item.begin - TIME_BLOCK;
#ifdef WARP_SHUFFLES  // PoCL's compiler would need a minute for these
  const bool has_inner = levels == TIME_BLOCK && first_column >= 0 && first_column + COLUMNS <= WIDTH;
  const int outer_end = min(COUNTED_BEGIN(item.begin), item.end) + TIME_BLOCK;
  for (; r < outer_end; ++r) take_row(&item, from, to, r, false);
  if (has_inner) {  // unrolled once more, its float code by NVRTC 13 is a quarter slower
#pragma unroll 1
    for (; r < COUNTED_END(item.end); ++r) take_row(&item, from, to, r, true);
  }
#endif
  for (; r < item.end + TIME_BLOCK; ++r) take_row(&item, from, to, r, false);
  const int group = group_number(), groups = SUMS_OF_STEP;
  UNROLLED for (int level = 0; level < TIME_BLOCK; ++level) {
    const SCALAR change = item.is_own ? item.changes[level] : 0;
    const SCALAR sum = work_group_sum(change, scratch + level * GROUP_X * GROUP_Y);
    if (item_number() == 0 && level < levels) partial_sums[first_sum + level * groups + group] = sum;
  }
}
