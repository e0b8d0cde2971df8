// The array that is added up.
#ifndef BOLTZMARK_OPENCL_FILL_H
#define BOLTZMARK_OPENCL_FILL_H

#include "opencl/runtime/kernels/pack.h"

#include "common/reduce/value.h"

kernel void fill(global SCALAR* restrict values, ulong count) {
  for (size_t i = get_global_id(0); i < count; i += get_global_size(0))
    values[i] = eighths_at((uint)i) * (SCALAR)0.125;
}

#endif
