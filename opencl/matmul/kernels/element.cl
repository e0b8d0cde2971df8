// Element: a work-item computes one element of C.
//
//     c[i][j] += a[i][k] * b[k][j]
//
// ROW_AXIS 0, as published: neighbours are below each other, and read A and write C a row apart. ROW_AXIS 1, coalesced:
// neighbours are contiguous. GLOBAL_SUM: the sum is kept in C itself, in global memory, not in a register.
#include "matrices.h"

MATMUL_KERNEL multiply(int m, int n, int depth, global const SCALAR* a, global const SCALAR* b, global SCALAR* c) {
  const int i = get_global_id(ROW_AXIS), j = get_global_id(1 - ROW_AXIS);
  if (i >= m || j >= n) return;
#ifdef GLOBAL_SUM
  AT(c, i, n, j) = 0;
  for (int k = 0; k < depth; ++k) AT(c, i, n, j) += AT(a, i, depth, k) * AT(b, k, n, j);
#else
  SCALAR sum = 0;
  for (int k = 0; k < depth; ++k) sum += AT(a, i, depth, k) * AT(b, k, n, j);
  AT(c, i, n, j) = sum;
#endif
}
