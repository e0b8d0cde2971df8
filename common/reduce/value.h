// The values to reduce, in the common subset of C++ and OpenCL C, as whole numbers from which models make theirs. For
// each operator they are chosen so that the result is exact in any order, and as far as possible so that a value left
// out or taken twice changes it. Sums use eighths_at.
#ifndef BOLTZMARK_COMMON_REDUCE_VALUE_H
#define BOLTZMARK_COMMON_REDUCE_VALUE_H

#include "common/base/eighths.h"

KERNEL_FN int is_power_of_two(unsigned int number) { return (number & (number - 1)) == 0; }

/// For products: twice the value, which is 1 or -1; values at powers of two are doubled or halved. No product of any of
/// them leaves the range of floats.
KERNEL_FN int halves_at(unsigned int number) {
  const unsigned int bits = mixed_bits(number);
  const int size = is_power_of_two(number) ? (bits & 2u ? 4 : 1) : 2;
  return bits & 1u ? -size : size;
}

/// For min and max: from -2^23 to 2^23 - 1, with the extreme one at any position.
KERNEL_FN int extreme_at(unsigned int number) { return (int)(mixed_bits(number) >> 8) - 8388608; }

/// Of xor: pseudo-random bits.
KERNEL_FN unsigned long word_at(unsigned int number) {
  return ((unsigned long)mixed_bits(number ^ 0x5bd1e995u) << 32) | mixed_bits(number);
}

/// For or (inverted for and): one of `width` bits at powers of two, zero elsewhere. Uses two shifts, because LLVM 16
/// turns one shift and an inversion into a rotation, which is wrong on NVIDIA GPUs for 32 bits or more.
KERNEL_FN unsigned long mark_at(unsigned int number, int width) {
  const unsigned int bit = mixed_bits(number) % (unsigned int)width;
  return is_power_of_two(number) ? (1ul << bit / 2) << (bit - bit / 2) : 0;
}

#endif
