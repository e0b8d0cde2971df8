// Rates of arithmetic of a device: chains of operations on registers, CHAINS of them at once in each work-item. The
// host defines LANES (numbers in a vector), DOUBLES for double precision, CHAINS, an even number, and OPERATION.
#include "opencl/runtime/kernels/pack.h"

/// Operations of a chain in each round: the loop's own instructions are few beside them.
#define LINKS 16

// The operation of a chain, OPERATION: multiply-adds, and the operations for which the layer's kernels have words. x
// converges to summand / (1 - factor).
#define MULTIPLY_ADD(x) fma(x, (REAL)factor, (REAL)summand)
/// x alternates between two numbers.
#define DIVISION(x) ratio((SCALAR)factor, x)
/// x converges to summand; with roots only it would leave the range of numbers.
#define ROOT(x) fma(inverse_root_cubed(x), (REAL)factor, (REAL)summand)

/// Nothing is written: no chain becomes negative, which the compiler cannot know.
kernel void chains(uint rounds, global SCALAR* sink, SCALAR factor, SCALAR summand) {
  REAL x[CHAINS];
  UNROLLED for (int i = 0; i < CHAINS; ++i) x[i] = 1 + (SCALAR)0.0625 * i;
  for (uint round = 0; round < rounds; ++round) {
    UNROLLED for (int link = 0; link < LINKS; ++link) UNROLLED for (int i = 0; i < CHAINS; ++i) x[i] = OPERATION(x[i]);
  }
  REAL sum = 0;
  UNROLLED for (int i = 0; i < CHAINS; ++i) sum += x[i];
  if (sum_of_lanes(sum) < 0) sink[get_local_id(0)] = sum_of_lanes(sum);
}

#if LANES == 1
#define WORD uint /* both halves of a product, which one more operation makes a factor again */
#define NEXT(x) (mul_hi(x, multiplier) ^ ((x)*multiplier))
#else
#define WORD JOIN(ulong, LANES) /* the upper half, which a shift brings down */
#define NEXT(x) ((((x) & (WORD)0xffffffff) * (WORD)multiplier) >> (WORD)32)
#endif

/// Multiplications of 32 by 32 bits to 64, as in Philox. The host knows that no factor becomes `never`.
kernel void wide(uint rounds, global uint* sink, uint multiplier, ulong never) {
  WORD x[CHAINS];
  UNROLLED for (int i = 0; i < CHAINS; ++i) x[i] = (WORD)(multiplier - i);
  for (uint round = 0; round < rounds; ++round) {
    UNROLLED for (int link = 0; link < LINKS; ++link) UNROLLED for (int i = 0; i < CHAINS; ++i) x[i] = NEXT(x[i]);
  }
  UNROLLED for (int i = 1; i < CHAINS; ++i) x[0] |= x[i];
#if LANES == 1
  if (x[0] + (ulong)0 == never) sink[get_local_id(0)] = 1;
#else
  if (all(x[0] == (WORD)never)) sink[get_local_id(0)] = 1;
#endif
}

/// Half of the chains multiply and half add, so no compiler can fuse them.
kernel void separate(uint rounds, global SCALAR* sink, SCALAR factor, SCALAR summand) {
  REAL x[CHAINS / 2], y[CHAINS / 2];
  UNROLLED for (int i = 0; i < CHAINS / 2; ++i) x[i] = y[i] = 1 + (SCALAR)0.0625 * i;
  for (uint round = 0; round < rounds; ++round) {
    UNROLLED for (int link = 0; link < LINKS; ++link) UNROLLED for (int i = 0; i < CHAINS / 2; ++i) {
      x[i] *= factor;
      y[i] += summand;
    }
  }
  REAL sum = 0;
  UNROLLED for (int i = 0; i < CHAINS / 2; ++i) sum += x[i] + y[i];
  if (sum_of_lanes(sum) < 0) sink[get_local_id(0)] = sum_of_lanes(sum);
}
