// Warp tiles: double buffer, with the items of a warp in adjacent tiles, 4 x 8, so that they read few vectors of local
// memory at once and without bank conflicts. Blocks are copied to local memory directly (copies.h), and A is transposed
// during the copy. A group may have GROUP_Z slices of items, each of which multiplies its part of every block's depth.
//
//     next block on its way | multiply this one | wait for it | barrier;   at the end tile += those of other slices
#include "vector_tile.h"

#include "opencl/runtime/kernels/copies.h"

#define A_WIDTH (ROWS + A_PAD)
#define BLOCKS_VECTORS (BLOCK_DEPTH * (A_WIDTH / LANES + ROW_VECTORS))
#define SLICE_ITEMS (GROUP_X * GROUP_Y)
#define SLICES_VECTORS (GROUP_Z / 2 * TILE_ROWS * TILE_VECTORS * SLICE_ITEMS)
#define MOST(a, b) ((a) > (b) ? (a) : (b))

/// Eight neighbouring items load values along k of a row of A, and the next eight those of the row below.
#define A_STEP (ITEMS / BLOCK_DEPTH) /* rows of A that the group brings at once */
#define B_STEP (ITEMS / ROW_VECTORS)
#define START_COPIES(half)                                                                                       \
  UNROLLED for (int row = 0; row < ROWS; row += A_STEP)                                                          \
      start_copy(from_a + (size_t)row * depth, &a_blocks[half][a_k][a_row + row]);                               \
  UNROLLED for (int row = 0; row < BLOCK_DEPTH; row += B_STEP)                                                   \
      start_vector_copy((global const REAL*)(from_b + (size_t)row * n), &b_blocks[half][b_row + row][b_vector]); \
  from_a += BLOCK_DEPTH;                                                                                         \
  from_b += (size_t)BLOCK_DEPTH * n;

MULTIPLY_KERNEL {
  LOCAL_VARIABLE REAL memory[MOST(2 * BLOCKS_VECTORS, SLICES_VECTORS)];
  local SCALAR(*const a_blocks)[BLOCK_DEPTH][A_WIDTH] = (local SCALAR(*)[BLOCK_DEPTH][A_WIDTH])memory;
  local REAL(*const b_blocks)[BLOCK_DEPTH][ROW_VECTORS] =
      (local REAL(*)[BLOCK_DEPTH][ROW_VECTORS])(memory + 2 * BLOCK_DEPTH * A_WIDTH / LANES);
  const int item = get_local_id(0) + GROUP_X * (get_local_id(1) + GROUP_Y * get_local_id(2));
  const int slice = item / SLICE_ITEMS, in_slice = item % SLICE_ITEMS, warp = in_slice / 32;
  const int x = warp % (GROUP_X / 8) * 8 + in_slice % 8, y = warp / (GROUP_X / 8) * 4 + in_slice % 32 / 8;
  const int first_row = get_group_id(1) * ROWS, first_column = get_group_id(0) * COLUMNS;
  const int a_k = item % 8 + item / 32 % (BLOCK_DEPTH / 8) * 8, a_row = item % 32 / 8 + item / (4 * BLOCK_DEPTH) * 4;
  const int b_row = item / ROW_VECTORS, b_vector = item % ROW_VECTORS;
  global const SCALAR *from_a = &AT(a, first_row + a_row, depth, a_k),
                      *from_b = &AT(b, b_row, n, first_column + b_vector * LANES);
  REAL tile[TILE_ROWS][TILE_VECTORS];
  CLEAR_TILE;
  START_COPIES(0)
  wait_for_copies();
  barrier(CLK_LOCAL_MEM_FENCE);
  int half_in_use = 0;
  for (int k = BLOCK_DEPTH; k < depth; k += BLOCK_DEPTH) {
    START_COPIES(1 - half_in_use)
    MULTIPLY_BLOCKS(a_blocks[half_in_use] + slice * SLICE_DEPTH, b_blocks[half_in_use] + slice * SLICE_DEPTH)
    half_in_use = 1 - half_in_use;
    wait_for_copies();
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  MULTIPLY_BLOCKS(a_blocks[half_in_use] + slice * SLICE_DEPTH, b_blocks[half_in_use] + slice * SLICE_DEPTH)
#define LEFT(slice, r, s) memory[(((slice)*TILE_ROWS + (r)) * TILE_VECTORS + (s)) * SLICE_ITEMS + in_slice]
  UNROLLED for (int half_of = GROUP_Z / 2; half_of > 0; half_of /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (slice >= half_of && slice < 2 * half_of) EACH_VECTOR_OF_TILE(LEFT(slice - half_of, r, s) = tile[r][s]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (slice < half_of) EACH_VECTOR_OF_TILE(tile[r][s] += LEFT(slice, r, s));
  }
  if (slice == 0) STORE_TILE;
}
