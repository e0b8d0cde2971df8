// Tile: cells; the group first copies its own cells and those around them to local memory.
//
//     tile = my group's cells and a border of one;   next = 0.2 (...) of the tile
#include "plate.h"

#define TILE_COLUMNS (GROUP_X + 2)
#define TILE_ROWS (GROUP_Y + 2)

ADVANCE_KERNEL {
  LOCAL_VARIABLE SCALAR tile[TILE_ROWS][TILE_COLUMNS];
  const int west = get_group_id(0) * GROUP_X - 1, north = get_group_id(1) * GROUP_Y - 1;
  for (int i = item_number(); i < TILE_ROWS * TILE_COLUMNS; i += GROUP_X * GROUP_Y) {
    const int row = i / TILE_COLUMNS, column = i % TILE_COLUMNS;
    tile[row][column] = AT(from, min(north + row, HEIGHT), min(west + column, WIDTH));
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const int row = get_local_id(1) + 1, column = get_local_id(0) + 1;
  SCALAR change = 0;
  if (IS_INSIDE(north + row, west + column)) {
    const SCALAR next = MEAN(tile[row][column], tile[row - 1][column], tile[row + 1][column], tile[row][column - 1],
                             tile[row][column + 1]);
    change = fabs(next - tile[row][column]);
    AT(to, north + row, west + column) = next;
  }
  leave_change(change, partial_sums, first_sum, scratch);
}
