// Double buffer: vector loads, with two blocks each of A and B in local memory. While one is multiplied, the next is
// loaded from global memory, and one barrier per block is enough.
//
//     next block to registers | multiply this one | registers to the other half of local memory | barrier
#include "vector_tile.h"

#define FETCH(from_k)                                                                                   \
  UNROLLED for (int e = 0, at = item; e < A_EACH; ++e, at += ITEMS) next_a[e] =                         \
      CONST_VECTOR_AT(a, first_row + at / DEPTH_VECTORS, depth, (from_k) + at % DEPTH_VECTORS * LANES); \
  UNROLLED for (int e = 0, at = item; e < B_EACH; ++e, at += ITEMS) next_b[e] =                         \
      CONST_VECTOR_AT(b, (from_k) + at / ROW_VECTORS, n, first_column + at % ROW_VECTORS * LANES);

#define PUT(half)                                                                          \
  UNROLLED for (int e = 0, at = item; e < A_EACH; ++e, at += ITEMS)                        \
      SCATTER(next_a[e], &a_blocks[half][at % DEPTH_VECTORS * LANES][at / DEPTH_VECTORS]); \
  UNROLLED for (int e = 0, at = item; e < B_EACH; ++e, at += ITEMS)                        \
      b_blocks[half][at / ROW_VECTORS][at % ROW_VECTORS] = next_b[e];

MULTIPLY_KERNEL {
  LOCAL_VARIABLE SCALAR a_blocks[2][BLOCK_DEPTH][ROWS + A_PAD] __attribute__((aligned(16)));
  LOCAL_VARIABLE REAL b_blocks[2][BLOCK_DEPTH][ROW_VECTORS];
  const int x = get_local_id(0), y = get_local_id(1), item = y * GROUP_X + x;
  const int first_row = get_group_id(1) * ROWS, first_column = get_group_id(0) * COLUMNS;
  REAL tile[TILE_ROWS][TILE_VECTORS], next_a[A_EACH], next_b[B_EACH];
  CLEAR_TILE;
  FETCH(0)
  PUT(0)
  barrier(CLK_LOCAL_MEM_FENCE);
  int half_in_use = 0;
  for (int k = BLOCK_DEPTH; k < depth; k += BLOCK_DEPTH) {
    FETCH(k)
    MULTIPLY_BLOCKS(a_blocks[half_in_use], b_blocks[half_in_use])
    half_in_use = 1 - half_in_use;
    PUT(half_in_use)
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  MULTIPLY_BLOCKS(a_blocks[half_in_use], b_blocks[half_in_use])
  STORE_TILE;
}
