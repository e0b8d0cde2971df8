// The array of a workload whose sums are exact.
#ifndef BOLTZMARK_OPENCL_FILL_EIGHTHS_H
#define BOLTZMARK_OPENCL_FILL_EIGHTHS_H

#include "opencl/runtime/kernels/pack.h"

#include "common/base/eighths.h"

kernel void fill(global SCALAR* restrict values, ulong count, ulong first) {
  for (size_t i = get_global_id(0); i < count; i += get_global_size(0))
    values[i] = (SCALAR)0.125 * eighths_at((uint)(first + i));
}

#endif
