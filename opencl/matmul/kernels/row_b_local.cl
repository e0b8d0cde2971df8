// Row, with its row of A in private memory and the group's current column of B in local memory.
//
//     for all j   the group copies column j of B;   c[i][j] = sum of a[i][k] * column[k]
#include "matrices.h"

MULTIPLY_KERNEL {
  LOCAL_VARIABLE SCALAR column[DEPTH];
  const int i = get_global_id(0), item = get_local_id(0);
  SCALAR row[DEPTH];
  for (int k = 0; k < DEPTH; ++k) row[k] = i < m ? AT(a, i, DEPTH, k) : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int j = 0; j < n; ++j) {
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = item; k < DEPTH; k += GROUP_X) column[k] = AT(b, k, n, j);
    barrier(CLK_LOCAL_MEM_FENCE);
    SCALAR sum = 0;
    for (int k = 0; k < DEPTH; ++k) sum += row[k] * column[k];
    if (i < m) AT(c, i, n, j) = sum;
  }
}
