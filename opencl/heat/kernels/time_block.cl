// Time block: TIME_BLOCK steps in a launch, and every value is read and written once for all of them. A work-group has
// COLUMNS columns, LANES of each item, and marches down its ROWS rows. While it reads row r, it does row r - 1 of the first
// step, row r - 2 of the second, and so on, of which it needs no more than two rows before in registers:
//
//     read row r                         step 0: rows r-2, r-1, r   ->   row r-1 of step 1
//                                        step 1: rows r-3, r-2, r-1 ->   row r-2 of step 2
//                                        ...
//     write row r - TIME_BLOCK           of step TIME_BLOCK
//
// Neighbours beside an item's own columns come from the item beside it, through local memory, one barrier per row. At its
// edges a group knows no neighbours; what is wrong there moves inwards by a cell per step, so HALO columns on each side and
// TIME_BLOCK rows above and below belong to other groups, which do them again.
#include "plate.h"

#define COLUMNS (GROUP_X * LANES)
#define HALO ((TIME_BLOCK + LANES - 1) / LANES * LANES)
#define OWN_COLUMNS (COLUMNS - 2 * HALO)

/// `levels` steps, TIME_BLOCK of them or fewer; what is left of the march then only takes rows on. Sum s of this group goes
/// to partial_sums[first_sum + s * groups + group]. `scratch`: TIME_BLOCK values per work-item.
HEAT_KERNEL advance_block(int first_sum, int levels, global const SCALAR* restrict from,
                          global SCALAR* restrict to, global SCALAR* restrict partial_sums,
                          LOCAL_PARAMETER(SCALAR) scratch) {
  LOCAL_VARIABLE SCALAR first_of[2][TIME_BLOCK][GROUP_X], last_of[2][TIME_BLOCK][GROUP_X];
  const int item = get_local_id(0), before = max(item - 1, 0), behind = min(item + 1, GROUP_X - 1);
  const int x = (int)get_group_id(0) * OWN_COLUMNS - HALO + item * LANES;
  const bool is_own = item * LANES >= HALO && item * LANES < HALO + OWN_COLUMNS && x < WIDTH;
  const int begin = get_group_id(1) * ROWS, end = min(begin + ROWS, HEIGHT);
  const int x_read = max(-LEAD, min(x, PITCH - LEAD - LANES));
  SCALAR upper[TIME_BLOCK][LANES], centre[TIME_BLOCK][LANES], changes[TIME_BLOCK];
  int inside[LANES];
#pragma unroll
  for (int lane = 0; lane < LANES; ++lane) inside[lane] = x + lane >= 0 && x + lane < WIDTH;
#pragma unroll
  for (int level = 0; level < TIME_BLOCK; ++level) {
    changes[level] = 0;
    first_of[0][level][item] = last_of[0][level][item] = 0;
#pragma unroll
    for (int lane = 0; lane < LANES; ++lane) upper[level][lane] = centre[level][lane] = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int r = begin - TIME_BLOCK, turn = 0; r < end + TIME_BLOCK; ++r, turn ^= 1) {
    SCALAR lower[LANES];
    global const SCALAR* const row = &AT(from, max(-1, min(r, HEIGHT)), x_read);
#pragma unroll
    for (int lane = 0; lane < LANES; ++lane) lower[lane] = row[lane];
#pragma unroll
    for (int level = 0; level < TIME_BLOCK; ++level) {
      const int y = r - level - 1;
      const bool is_step = level < levels && y >= 0 && y < HEIGHT, counts = y >= begin && y < end;
      const SCALAR west_most = last_of[turn][level][before], east_most = first_of[turn][level][behind];
      SCALAR change = 0;
#pragma unroll
      for (int lane = 0; lane < LANES; ++lane) {
        const SCALAR west = lane == 0 ? west_most : centre[level][max(lane - 1, 0)];
        const SCALAR east = lane == LANES - 1 ? east_most : centre[level][min(lane + 1, LANES - 1)];
        const SCALAR mean = MEAN(centre[level][lane], upper[level][lane], lower[lane], west, east);
        const SCALAR next = is_step && inside[lane] ? mean : centre[level][lane];
        change += fabs(next - centre[level][lane]);
        upper[level][lane] = next;  // until the rows have moved on
      }
      if (counts) changes[level] += change;
#pragma unroll
      for (int lane = 0; lane < LANES; ++lane) {
        const SCALAR next = upper[level][lane];
        upper[level][lane] = centre[level][lane];
        centre[level][lane] = lower[lane];
        lower[lane] = next;
      }
      first_of[turn ^ 1][level][item] = centre[level][0];
      last_of[turn ^ 1][level][item] = centre[level][LANES - 1];
    }
    if (is_own && r - TIME_BLOCK >= begin) {
#pragma unroll
      for (int lane = 0; lane < LANES; ++lane)
        if (inside[lane]) AT(to, r - TIME_BLOCK, x + lane) = lower[lane];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const int group = group_number(), groups = get_num_groups(0) * get_num_groups(1);
#pragma unroll
  for (int level = 0; level < TIME_BLOCK; ++level) {
    const SCALAR sum = work_group_sum(is_own ? changes[level] : 0, scratch + level * GROUP_X);
    if (item == 0 && level < levels) partial_sums[first_sum + level * groups + group] = sum;
  }
}
