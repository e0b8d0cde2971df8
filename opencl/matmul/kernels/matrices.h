// What the kernels have in common: C (m x n) = A (m x depth) B (depth x n), row by row.
#include "opencl/runtime/kernels/pack.h"

#ifndef LOCAL_VARIABLE
#define LOCAL_VARIABLE local
#endif

#define MATMUL_KERNEL kernel __attribute__((reqd_work_group_size(GROUP_X, GROUP_Y, GROUP_Z))) void
#define MULTIPLY_KERNEL                                                                                             \
  MATMUL_KERNEL multiply(int m, int n, int depth, global const SCALAR* restrict a, global const SCALAR* restrict b, \
                         global SCALAR* restrict c)

/// What a product does to C: it is C, or a panel's share of it.
#ifdef ADDS_TO_C
#define BECOMES +=
#else
#define BECOMES =
#endif

/// Element (row, column) of a matrix whose rows have so many columns.
#define AT(matrix, row, columns, column) matrix[(size_t)(row) * (columns) + (column)]

/// For element (r, s) of a tile in registers, or vector s of row r.
#define EACH_OF_TILE(columns, statement) \
  _Pragma("unroll") for (int r = 0; r < TILE_ROWS; ++r) _Pragma("unroll") for (int s = 0; s < (columns); ++s) statement
