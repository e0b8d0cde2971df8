// The five kernels of STREAM, over arrays of whole vectors: after the last element there are zeros, which stay zeros. A
// work-group has GROUP_X * VECTORS consecutive vectors, which its items take in turn: on a GPU neighbours read
// neighbouring memory; on a CPU a group is one item, which walks along its stretch.
#include "opencl/runtime/kernels/pack.h"
#include "opencl/runtime/kernels/reduction.h"

#define GROUP_SHAPE GROUP_OF(GROUP_X)
#define FACTOR ((SCALAR)0.4)

/// This work-item's vector in the first turn; in the next turn it is GROUP_X further on.
FN size_t my_first(void) { return get_group_id(0) * (size_t)(GROUP_X * VECTORS) + get_local_id(0); }
#define EACH_VECTOR(statement)                    \
  for (int turn = 0; turn < VECTORS; ++turn) {    \
    const size_t i = my_first() + turn * GROUP_X; \
    if (i < vectors) statement;                   \
  }

/// Sets the arrays' start values in elements 0 .. elements - 1, and zeros after them.
kernel GROUP_SHAPE void stream_init(global SCALAR* restrict a, global SCALAR* restrict b, global SCALAR* restrict c,
                                    ulong vectors, ulong elements) {
  for (int turn = 0; turn < VECTORS; ++turn) {
    const size_t i = my_first() + turn * GROUP_X;
    if (i < vectors)
      for (size_t at = i * LANES; at < (i + 1) * LANES; ++at) {
        a[at] = at < elements ? (SCALAR)0.1 : 0;
        b[at] = at < elements ? (SCALAR)0.2 : 0;
        c[at] = 0;
      }
  }
}

kernel GROUP_SHAPE void stream_copy(global const REAL* restrict a, global REAL* restrict c,
                                    ulong vectors){EACH_VECTOR(c[i] = a[i])}

kernel GROUP_SHAPE void stream_mul(global REAL* restrict b, global const REAL* restrict c,
                                   ulong vectors){EACH_VECTOR(b[i] = FACTOR * c[i])}

kernel GROUP_SHAPE void stream_add(global const REAL* restrict a, global const REAL* restrict b,
                                   global REAL* restrict c, ulong vectors){EACH_VECTOR(c[i] = a[i] + b[i])}

kernel GROUP_SHAPE
    void stream_triad(global REAL* restrict a, global const REAL* restrict b, global const REAL* restrict c,
                      ulong vectors){EACH_VECTOR(a[i] = b[i] + FACTOR * c[i])}
/// partial_sums[g] becomes the sum of a * b over the vectors of work-group g. Equal terms round the same way
/// every time, so an item adds at most CHAIN of them before it starts a new sum; VECTORS is a multiple of that.
/// `scratch`: one value per work-item.
#define CHAIN 32
kernel GROUP_SHAPE
    void stream_dot(global const REAL* restrict a, global const REAL* restrict b, global SCALAR* restrict partial_sums,
                    ulong vectors, LOCAL_PARAMETER(SCALAR) scratch) {
  REAL sum = 0;
  for (int turn = 0; turn < VECTORS; turn += CHAIN) {
    const size_t first = my_first() + turn * GROUP_X;
    REAL part = 0;
    if (first + (CHAIN - 1) * GROUP_X < vectors) {
#pragma unroll 8
      for (int k = 0; k < CHAIN; ++k) part += a[first + k * GROUP_X] * b[first + k * GROUP_X];
    } else {
      for (size_t i = first; i < vectors; i += GROUP_X) part += a[i] * b[i];
    }
    sum += part;
  }
  const SCALAR total = work_group_sum(sum_of_lanes(sum), scratch);
  if (get_local_id(0) == 0) partial_sums[get_group_id(0)] = total;
}
