// Sequential: one work-item, the loop as it is written down.
//
//     for (i = 0; i < count; ++i) sums[i] = sum = sum + values[i];
#include "opencl/runtime/kernels/fill_eighths.h"

kernel void scan_all(global const SCALAR* restrict values, ulong count, global SCALAR* restrict sums) {
  SCALAR sum = 0;
  for (size_t i = 0; i < count; ++i) {
    sum += values[i];
    sums[i] = sum;
  }
}
