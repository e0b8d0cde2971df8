// Register tiles whose rows are vectors of LANES values (16 bytes), and the blocks in local memory that feed them.
//
//     columns of a group:   | x = 0 | x = 1 | ...  GROUP_X vectors | x = 0 | x = 1 | ...     TILE_COLUMNS / LANES times
#include "matrices.h"

#define ROWS (GROUP_Y * TILE_ROWS)
#define COLUMNS (GROUP_X * TILE_COLUMNS)
#define ITEMS (GROUP_X * GROUP_Y * GROUP_Z)
#define SLICE_DEPTH (BLOCK_DEPTH / GROUP_Z) /* of a block's depth, what GROUP_X x GROUP_Y items multiply */
#define TILE_VECTORS (TILE_COLUMNS / LANES)
#define ROW_VECTORS (COLUMNS / LANES)         /* of a row of the block of B */
#define DEPTH_VECTORS (BLOCK_DEPTH / LANES)   /* of a row of the block of A */
#define A_EACH (ROWS * DEPTH_VECTORS / ITEMS) /* vectors of a block that an item brings: the host makes it whole */
#define B_EACH (BLOCK_DEPTH * ROW_VECTORS / ITEMS)

/// The vector that begins at an element.
#define VECTOR_AT(matrix, row, columns, column) ((global REAL*)&AT(matrix, row, columns, column))[0]
#define CONST_VECTOR_AT(matrix, row, columns, column) ((global const REAL*)&AT(matrix, row, columns, column))[0]

/// Takes lane after lane of a column of the block of A, which is stored column by column.
#if LANES == 4
#define SCATTER(value, to)                                                                   \
  (to)[0] = (value).x, (to)[ROWS + A_PAD] = (value).y, (to)[2 * (ROWS + A_PAD)] = (value).z, \
  (to)[3 * (ROWS + A_PAD)] = (value).w
#else
#define SCATTER(value, to) (to)[0] = (value).x, (to)[ROWS + A_PAD] = (value).y
#endif
#define A_PAD LANES /* keeps these stores in different banks */

/// tile += column of a_block * row of b_block, for all of the slice's depth.
#define MULTIPLY_BLOCKS(a_block, b_block)                                                    \
  UNROLLED for (int l = 0; l < SLICE_DEPTH; ++l) {                                           \
    REAL of_b[TILE_VECTORS];                                                                 \
    UNROLLED for (int s = 0; s < TILE_VECTORS; ++s) of_b[s] = (b_block)[l][s * GROUP_X + x]; \
    UNROLLED for (int r = 0; r < TILE_ROWS; ++r) {                                           \
      const SCALAR of_a = (a_block)[l][y * TILE_ROWS + r];                                   \
      UNROLLED for (int s = 0; s < TILE_VECTORS; ++s) tile[r][s] += of_a * of_b[s];          \
    }                                                                                        \
  }

#define EACH_VECTOR_OF_TILE(statement) EACH_OF_TILE(TILE_VECTORS, statement)
#define CLEAR_TILE EACH_VECTOR_OF_TILE(tile[r][s] = 0)
#define STORE_TILE                                                                                             \
  EACH_VECTOR_OF_TILE(VECTOR_AT(c, first_row + y * TILE_ROWS + r, n, first_column + (s * GROUP_X + x) * LANES) \
                          BECOMES tile[r][s])
