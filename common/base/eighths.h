// Values whose sums are exact in floats, in the common subset of C++ and OpenCL C.
#ifndef BOLTZMARK_COMMON_BASE_EIGHTHS_H
#define BOLTZMARK_COMMON_BASE_EIGHTHS_H

#include "common/base/real.h"

/// Pseudo-random bits.
KERNEL_FN unsigned int mixed_bits(unsigned int number) {
  unsigned int mixed = number * 0x9e3779b1u;
  mixed = (mixed ^ (mixed >> 15)) * 0x85ebca6bu;
  return mixed ^ (mixed >> 13);
}

/// Eight times value number `number`: odd, from -15 to 15, so that a value left out or added twice changes the sum.
/// Sums of these multiples of 1/8 with changing signs stay small enough for floats to hold them exactly, in any order
/// of addition.
KERNEL_FN int eighths_at(unsigned int number) { return 2 * (int)(mixed_bits(number) & 15u) - 15; }

#endif
