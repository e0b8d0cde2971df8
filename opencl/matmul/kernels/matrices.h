// Shared by the kernels: C (m x n) = A (m x depth) B (depth x n), row by row.
#include "opencl/runtime/kernels/pack.h"

#ifndef LOCAL_VARIABLE
#define LOCAL_VARIABLE local
#endif

#define MATMUL_KERNEL kernel __attribute__((reqd_work_group_size(GROUP_X, GROUP_Y, GROUP_Z))) void
#define MULTIPLY_KERNEL                                                                                             \
  MATMUL_KERNEL multiply(int m, int n, int depth, global const SCALAR* restrict a, global const SCALAR* restrict b, \
                         global SCALAR* restrict c)

/// Effect of a product on C: it becomes C, or a panel's contribution is added.
#ifdef ADDS_TO_C
#define BECOMES +=
#else
#define BECOMES =
#endif

/// Element (row, column) of a matrix with this many columns.
#define AT(matrix, row, columns, column) matrix[(size_t)(row) * (columns) + (column)]

/// The first row and column of a group's block of C. Groups go down panels of eight blocks: groups that run together
/// share their rows and columns in the device's cache.
#define PLACE_OF_BLOCK(first_row, first_column)                                              \
  const int across = n / BLOCK_COLUMNS, number = get_group_id(0) + get_group_id(1) * across; \
  const int panel = number / (8 * across) * 8, height = min(m / BLOCK_ROWS - panel, 8);      \
  const int in_panel = number - panel * across;                                              \
  const int first_row = (panel + in_panel % height) * BLOCK_ROWS, first_column = in_panel / height * BLOCK_COLUMNS

/// For element (r, s) of a tile in registers, or vector s of row r.
#define EACH_OF_TILE(columns, statement) \
  UNROLLED for (int r = 0; r < TILE_ROWS; ++r) UNROLLED for (int s = 0; s < (columns); ++s) statement
