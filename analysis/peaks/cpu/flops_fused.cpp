// Compiled with -ffp-contract=fast: x * a + b is one instruction.
#include "analysis/peaks/cpu/flop_chains.hpp"

namespace boltzmark {

std::vector<FlopKernel> fused_kernels() {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA) || defined(__FP_FAST_FMA)
  return flop_kernels<true>();
#else
  return {};
#endif
}

}  // namespace boltzmark
