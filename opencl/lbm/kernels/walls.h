// Walls that move.
#ifndef BOLTZMARK_OPENCL_WALLS_H
#define BOLTZMARK_OPENCL_WALLS_H

#include "opencl/runtime/kernels/pack.h"

/// What moving walls add in a step to populations that leave them: the momentum of each push from `first` to before
/// `end` to the value at its place, which no other one has. Global size: so many, or more.
kernel void push_from_walls(int first, int end, global const ulong* restrict places,
                            global const SCALAR* restrict momentum, global STORED* restrict populations) {
  const int push = first + get_global_id(0);
  if (push >= end) return;
  global STORED* const to = populations + places[push];
  STORE_ONE(LOAD_ONE(to) + momentum[push], to);
}

#endif
