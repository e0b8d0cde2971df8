// Blocked: a group computes a block of C, an item one element. The group loads a block of A and one of B into local
// memory, where each value is used BLOCK times.
//
//     for all blocks along k   a_block = A[my block row][k], b_block = B[k][my block column];   c += a_block * b_block
//
// Axis 1 counts the block rows. The kernel as printed in the lecture (source C of the report) stores to the block row
// that it reads of B, which transposes the blocks of C.
#include "matrices.h"

#define BLOCK GROUP_X

MULTIPLY_KERNEL {
  LOCAL_VARIABLE SCALAR a_block[BLOCK][BLOCK], b_block[BLOCK][BLOCK];
  const int x = get_local_id(0), y = get_local_id(1), i = get_global_id(1), j = get_global_id(0);
  SCALAR sum = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < depth; k += BLOCK) {
    a_block[y][x] = i < m && k + x < depth ? AT(a, i, depth, k + x) : 0;
    b_block[y][x] = k + y < depth && j < n ? AT(b, k + y, n, j) : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLLED for (int l = 0; l < BLOCK; ++l) sum += a_block[y][l] * b_block[l][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i < m && j < n) AT(c, i, n, j) BECOMES sum;
}
