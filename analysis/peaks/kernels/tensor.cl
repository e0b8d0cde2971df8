// Rates of tensor cores: CHAINS sums in each warp, to which products of small matrices in registers are added. For
// other definitions by the host see tensor.h.
#include "opencl/runtime/kernels/tensor.h"

#define LINKS 16

/// Nothing is written: no sum becomes negative, which the compiler cannot know. `word`: the element 1/16 in a word.
kernel void tensor_chains(uint rounds, global SCALAR* sink, WORD word) {
  SCALAR sums[CHAINS][4];
  WORD a[A_WORDS], b[B_WORDS];
  UNROLLED for (int i = 0; i < A_WORDS; ++i) a[i] = word;
  UNROLLED for (int i = 0; i < B_WORDS; ++i) b[i] = word;
  UNROLLED for (int i = 0; i < CHAINS; ++i) UNROLLED for (int part = 0; part < 4; ++part) sums[i][part] =
      (SCALAR)0.0625 * i;
  for (uint round = 0; round < rounds; ++round) {
    UNROLLED for (int link = 0; link < LINKS; ++link) UNROLLED for (int i = 0; i < CHAINS; ++i)
        multiply_small(sums[i], a, b);
  }
  SCALAR sum = 0;
  UNROLLED for (int i = 0; i < CHAINS; ++i) UNROLLED for (int part = 0; part < 4; ++part) sum += sums[i][part];
  if (sum < 0) sink[get_local_id(0)] = sum;
}
