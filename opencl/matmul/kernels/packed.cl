// Packed: for processors. A launch copies A into strips of TILE_ROWS rows, column by column, and B into strips of
// TILE_COLUMNS columns, row by row; another multiplies them. A group is one item, which computes BLOCK_ROWS x
// BLOCK_COLUMNS strips of C with as many sums as there are registers.
//
//     for blocks of depth, for my strips of B, for my strips of A   tile of C += strip of A * strip of B
//
// The host pads the matrices with zeros to whole strips, and to a depth that is a multiple of 16.
#include "matrices.h"

#define TILE_VECTORS (TILE_COLUMNS / LANES)

FN void pack_a(int strip, int depth, global const SCALAR* restrict a, global SCALAR* restrict packed) {
  global SCALAR* const to = packed + (size_t)strip * TILE_ROWS * depth;
  for (int first = 0; first < depth; first += 16)
    for (int r = 0; r < TILE_ROWS; ++r)
      for (int k = first; k < first + 16; ++k) to[(size_t)k * TILE_ROWS + r] = AT(a, strip * TILE_ROWS + r, depth, k);
}

FN void pack_b(int strip, int n, int depth, global const SCALAR* restrict b, global SCALAR* restrict packed) {
  global SCALAR* const to = packed + (size_t)strip * TILE_COLUMNS * depth;
  for (int k = 0; k < depth; ++k)
    UNROLLED for (int s = 0; s < TILE_VECTORS; ++s)
        STORE(LOAD(&AT(b, k, n, strip * TILE_COLUMNS + s * LANES)), to + (size_t)k * TILE_COLUMNS + s * LANES);
}

kernel void pack(int m, int n, int depth, global const SCALAR* restrict a, global SCALAR* restrict packed_a,
                 global const SCALAR* restrict b, global SCALAR* restrict packed_b) {
  const int strip = get_global_id(0), strips_of_a = m / TILE_ROWS;
  if (strip < strips_of_a)
    pack_a(strip, depth, a, packed_a);
  else
    pack_b(strip - strips_of_a, n, depth, b, packed_b);
}

/// The tile at c = or += `depth` columns of a strip of A times as many rows of a strip of B.
FN void multiply_tile(int depth, global const SCALAR* restrict a, global const SCALAR* restrict b,
                      global SCALAR* restrict c, int n, bool adds) {
  REAL tile[TILE_ROWS][TILE_VECTORS];
  EACH_OF_TILE(TILE_VECTORS, tile[r][s] = 0);
  for (int k = 0; k < depth; ++k, a += TILE_ROWS, b += TILE_COLUMNS) {
    REAL of_b[TILE_VECTORS];
    UNROLLED for (int s = 0; s < TILE_VECTORS; ++s) of_b[s] = LOAD(b + s * LANES);
    EACH_OF_TILE(TILE_VECTORS, tile[r][s] += a[r] * of_b[s]);
  }
  if (adds) EACH_OF_TILE(TILE_VECTORS, tile[r][s] += LOAD(&AT(c, r, n, s * LANES)));
  EACH_OF_TILE(TILE_VECTORS, STORE(tile[r][s], &AT(c, r, n, s * LANES)));
}

MULTIPLY_KERNEL {
  const int row_strip = get_group_id(1) * BLOCK_ROWS, end_of_rows = min(row_strip + BLOCK_ROWS, m / TILE_ROWS);
  const int column_strip = get_group_id(0) * BLOCK_COLUMNS,
            end_of_columns = min(column_strip + BLOCK_COLUMNS, n / TILE_COLUMNS);
  for (int k = 0; k < depth; k += BLOCK_DEPTH)
    for (int s = column_strip; s < end_of_columns; ++s)
      for (int r = row_strip; r < end_of_rows; ++r)
        multiply_tile(min(BLOCK_DEPTH, depth - k), a + ((size_t)r * depth + k) * TILE_ROWS,
                      b + ((size_t)s * depth + k) * TILE_COLUMNS, &AT(c, r * TILE_ROWS, n, s * TILE_COLUMNS), n, k > 0);
}
