// SCALARs, of either precision, that go from lane to lane of an NVIDIA warp. All lanes must call these together.
#ifndef BOLTZMARK_OPENCL_WARP_SCALARS_H
#define BOLTZMARK_OPENCL_WARP_SCALARS_H

#include "opencl/runtime/kernels/pack.h"
#include "opencl/runtime/kernels/warps.h"

/// The word of the lane whose number differs in the bits `distance`, and of the lane of this number.
FN uint word_across(uint word, int distance) {
  uint other;
  asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 31, %3;" : "=r"(other) : "r"(word), "r"(distance), "r"(ALL_LANES));
  return other;
}
FN uint word_of_lane(uint word, int lane) {
  uint other;
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, %3;" : "=r"(other) : "r"(word), "r"(lane), "r"(ALL_LANES));
  return other;
}

#ifdef DOUBLES
#define SHUFFLED(shuffle, value, which) \
  as_double(VECTOR(uint2)(shuffle(as_uint2(value).x, which), shuffle(as_uint2(value).y, which)))
#else
#define SHUFFLED(shuffle, value, which) as_float(shuffle(as_uint(value), which))
#endif

/// What the lane `distance` below has; the first lanes get their own.
FN SCALAR scalar_from_below(SCALAR value, int distance) { return SHUFFLED(word_from_below, value, distance); }
FN SCALAR scalar_of_lane(SCALAR value, int lane) { return SHUFFLED(word_of_lane, value, lane); }

/// The sum over `lanes` neighbouring lanes, a power of two, in each of them.
FN SCALAR sum_across(SCALAR value, int lanes) {
#pragma unroll
  for (int distance = lanes / 2; distance > 0; distance /= 2) value += SHUFFLED(word_across, value, distance);
  return value;
}

#endif
