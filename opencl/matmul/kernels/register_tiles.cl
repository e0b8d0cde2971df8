// Register tiles: an item computes TILE_ROWS x TILE_COLUMNS elements of C, so that each value read from local memory is
// used that often. Its columns are GROUP_X apart, so that neighbours read neighbouring memory.
//
//     for all blocks along k   a_block, b_block to local memory
//       for all k of the block   tile += column of a_block * row of b_block
//
// The host pads the matrices with zeros to whole blocks of the group, ROWS x BLOCK_DEPTH and BLOCK_DEPTH x COLUMNS.
#include "matrices.h"

#define ROWS (GROUP_Y * TILE_ROWS)
#define COLUMNS (GROUP_X * TILE_COLUMNS)
#define ITEMS (GROUP_X * GROUP_Y)

/// Loop over an item's share of a block's values, often the same number for all items.
#define IS_WITHIN(at, values) ((values) % ITEMS == 0 || (at) < (values))

MULTIPLY_KERNEL {
  LOCAL_VARIABLE SCALAR a_block[BLOCK_DEPTH][ROWS], b_block[BLOCK_DEPTH][COLUMNS];
  const int x = get_local_id(0), y = get_local_id(1), item = y * GROUP_X + x;
  const int first_row = get_group_id(1) * ROWS, first_column = get_group_id(0) * COLUMNS;
  SCALAR tile[TILE_ROWS][TILE_COLUMNS];
  EACH_OF_TILE(TILE_COLUMNS, tile[r][s] = 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < depth; k += BLOCK_DEPTH) {
#pragma unroll
    for (int at = item, turn = 0; turn < ROWS * BLOCK_DEPTH; turn += ITEMS, at += ITEMS)
      if (IS_WITHIN(at, ROWS * BLOCK_DEPTH))
        a_block[at % BLOCK_DEPTH][at / BLOCK_DEPTH] = AT(a, first_row + at / BLOCK_DEPTH, depth, k + at % BLOCK_DEPTH);
#pragma unroll
    for (int at = item, turn = 0; turn < BLOCK_DEPTH * COLUMNS; turn += ITEMS, at += ITEMS)
      if (IS_WITHIN(at, BLOCK_DEPTH * COLUMNS))
        b_block[at / COLUMNS][at % COLUMNS] = AT(b, k + at / COLUMNS, n, first_column + at % COLUMNS);
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLLED for (int l = 0; l < BLOCK_DEPTH; ++l)
        EACH_OF_TILE(TILE_COLUMNS, tile[r][s] += a_block[l][y * TILE_ROWS + r] * b_block[l][s * GROUP_X + x]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  EACH_OF_TILE(TILE_COLUMNS, AT(c, first_row + y * TILE_ROWS + r, n, first_column + s * GROUP_X + x) = tile[r][s]);
}
