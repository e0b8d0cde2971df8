// Vector loads: register tiles, with global and local memory read and written 16 bytes at a time.
//
//     for all blocks along k   a_block, b_block to local memory in vectors
//       for all k of the block   tile += column of a_block * row of b_block, a vector at a time
#include "vector_tile.h"

MULTIPLY_KERNEL {
  LOCAL_VARIABLE SCALAR a_block[BLOCK_DEPTH][ROWS + A_PAD] __attribute__((aligned(16)));
  LOCAL_VARIABLE REAL b_block[BLOCK_DEPTH][ROW_VECTORS];
  const int x = get_local_id(0), y = get_local_id(1), item = y * GROUP_X + x;
  const int first_row = get_group_id(1) * ROWS, first_column = get_group_id(0) * COLUMNS;
  REAL tile[TILE_ROWS][TILE_VECTORS];
  CLEAR_TILE;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < depth; k += BLOCK_DEPTH) {
    UNROLLED for (int e = 0; e < A_EACH; ++e) {
      const int at = item + e * ITEMS, row = at / DEPTH_VECTORS, first = at % DEPTH_VECTORS * LANES;
      const REAL value = CONST_VECTOR_AT(a, first_row + row, depth, k + first);
      SCATTER(value, &a_block[first][row]);
    }
    UNROLLED for (int e = 0; e < B_EACH; ++e) {
      const int at = item + e * ITEMS, row = at / ROW_VECTORS, first = at % ROW_VECTORS;
      b_block[row][first] = CONST_VECTOR_AT(b, k + row, n, first_column + first * LANES);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    MULTIPLY_BLOCKS(a_block, b_block)
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  STORE_TILE;
}
