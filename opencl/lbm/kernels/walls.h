// Moving walls.
#ifndef BOLTZMARK_OPENCL_WALLS_H
#define BOLTZMARK_OPENCL_WALLS_H

#include "opencl/runtime/kernels/pack.h"

/// The push of moving walls in a step on the populations that leave them: adds the momentum of each push from `first`
/// to before `end` to the value at its place, which is unique. Global size: at least their number.
kernel void push_from_walls(int first, int end, global const ulong* restrict places,
                            global const SCALAR* restrict momentum, global STORED* restrict populations) {
  const int push = first + get_global_id(0);
  if (push >= end) return;
  global STORED* const to = populations + places[push];
  STORE_ONE(LOAD_ONE(to) + momentum[push], to);
}

#endif
