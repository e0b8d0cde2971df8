// The values that are added up, in the common subset of C++ and OpenCL C: multiples of 1/8 with changing signs, whose sums
// stay so small that floats hold them exactly, in whatever order they are added.
#ifndef BOLTZMARK_COMMON_REDUCE_VALUE_H
#define BOLTZMARK_COMMON_REDUCE_VALUE_H

#include "common/base/real.h"

/// Eight times value number `number`: odd, from -15 to 15, so that every value that is left out or added twice shows.
KERNEL_FN int eighths_at(unsigned int number) {
  unsigned int mixed = number * 0x9e3779b1u;
  mixed = (mixed ^ (mixed >> 15)) * 0x85ebca6bu;
  return 2 * (int)((mixed ^ (mixed >> 13)) & 15u) - 15;
}

#endif
