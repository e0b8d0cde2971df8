// The array of a workload whose sums are exact.
#ifndef BOLTZMARK_OPENCL_FILL_EIGHTHS_H
#define BOLTZMARK_OPENCL_FILL_EIGHTHS_H

#include "opencl/runtime/kernels/pack.h"

#include "common/base/eighths.h"

kernel void fill(global SCALAR* restrict values, ulong count, ulong first) {
  for (size_t i = get_global_id(0); i < count; i += get_global_size(0))
    values[i] = (SCALAR)0.125 * eighths_at((uint)(first + i));
}

/// LANES of its `count` values from number `at` on, with zeros behind the last.
FN REAL vector_at(global const SCALAR* restrict values, ulong at, ulong count) {
  if (at + LANES <= count) return *(global const REAL*)(values + at);
  SCALAR lanes[LANES];
  for (int i = 0; i < LANES; ++i) lanes[i] = at + i < count ? values[at + i] : 0;
  return LOAD_IN(private, lanes);
}

#endif
