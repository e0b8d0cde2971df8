// Row: a work-item computes a row of C. PRIVATE_A: it first copies its row of A to private memory, DEPTH values.
//
//     for all j   c[i][j] = sum of a[i][k] * b[k][j]
#include "matrices.h"

MULTIPLY_KERNEL {
  const int i = get_global_id(0);
  if (i >= m) return;
#ifdef PRIVATE_A
  SCALAR row[DEPTH];
  for (int k = 0; k < DEPTH; ++k) row[k] = AT(a, i, DEPTH, k);
#else
  global const SCALAR* row = &AT(a, i, depth, 0);
#endif
  for (int j = 0; j < n; ++j) {
    SCALAR sum = 0;
    for (int k = 0; k < depth; ++k) sum += row[k] * AT(b, k, n, j);
    AT(c, i, n, j) = sum;
  }
}
