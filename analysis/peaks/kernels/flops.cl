// FLOP rates of a device: chains of operations on registers, CHAINS of them at once in each work-item. The
// host defines LANES (numbers in a vector), DOUBLES for double precision, and CHAINS, an even number.
#include "opencl/runtime/kernels/pack.h"

/// Operations of a chain in each round: the loop's own instructions are few beside them.
#define LINKS 16

/// x runs towards summand / (1 - factor). Nothing is written: no chain becomes negative, which the compiler
/// cannot know.
kernel void fused(uint rounds, global SCALAR* sink, SCALAR factor, SCALAR summand) {
  REAL x[CHAINS];
#pragma unroll
  for (int i = 0; i < CHAINS; ++i) x[i] = 1 + (SCALAR)0.0625 * i;
  for (uint round = 0; round < rounds; ++round) {
#pragma unroll
    for (int link = 0; link < LINKS; ++link)
#pragma unroll
      for (int i = 0; i < CHAINS; ++i) x[i] = fma(x[i], (REAL)factor, (REAL)summand);
  }
  REAL sum = 0;
#pragma unroll
  for (int i = 0; i < CHAINS; ++i) sum += x[i];
  if (sum_of_lanes(sum) < 0) sink[get_local_id(0)] = sum_of_lanes(sum);
}

/// Half of the chains multiply and half add: no compiler can fuse what does not meet.
kernel void separate(uint rounds, global SCALAR* sink, SCALAR factor, SCALAR summand) {
  REAL x[CHAINS / 2], y[CHAINS / 2];
#pragma unroll
  for (int i = 0; i < CHAINS / 2; ++i) x[i] = y[i] = 1 + (SCALAR)0.0625 * i;
  for (uint round = 0; round < rounds; ++round) {
#pragma unroll
    for (int link = 0; link < LINKS; ++link)
#pragma unroll
      for (int i = 0; i < CHAINS / 2; ++i) {
        x[i] *= factor;
        y[i] += summand;
      }
  }
  REAL sum = 0;
#pragma unroll
  for (int i = 0; i < CHAINS / 2; ++i) sum += x[i] + y[i];
  if (sum_of_lanes(sum) < 0) sink[get_local_id(0)] = sum_of_lanes(sum);
}
