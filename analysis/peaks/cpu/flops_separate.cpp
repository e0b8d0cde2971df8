// Compiled with -ffp-contract=off: x * a + b is two instructions.
#include "analysis/peaks/cpu/flop_chains.hpp"

namespace boltzmark {

std::vector<FlopKernel> separate_kernels() { return flop_kernels<false>(); }

}  // namespace boltzmark
