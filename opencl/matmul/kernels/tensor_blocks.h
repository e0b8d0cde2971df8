// Copies of blocks of A and B to local memory, for kernels with tensor cores, in vectors of 16 bytes. A kernel defines
// A_VECTORS, the vectors of a row of A in a block, and A_ROW, the vectors from row to row in local memory.
#include "matrices.h"

#include "opencl/runtime/kernels/copies.h"

#define ITEMS (GROUP_X * GROUP_Y)
#define IN_VECTOR (16 / ELEMENT_BYTES)
#define B_VECTORS (BLOCK_COLUMNS / IN_VECTOR)
#define B_ROW (B_VECTORS + (ELEMENT_BYTES == 2 ? 1 : 2)) /* in different banks */

/// Rows of A, and of B, that the group copies at once.
#define A_STEP (ITEMS / A_VECTORS)
#define B_STEP (ITEMS / B_VECTORS)
#define START_COPIES(to_a, to_b)                                                \
  UNROLLED for (int row = 0; row < BLOCK_ROWS; row += A_STEP)                   \
      start_vector_copy(from_a + (size_t)row * a_stride, (to_a) + row * A_ROW); \
  UNROLLED for (int row = 0; row < BLOCK_DEPTH; row += B_STEP)                  \
      start_vector_copy(from_b + (size_t)row * b_stride, (to_b) + row * B_ROW); \
  from_a += A_VECTORS;                                                          \
  from_b += (size_t)BLOCK_DEPTH * b_stride;
