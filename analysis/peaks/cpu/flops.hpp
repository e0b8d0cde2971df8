// What calculates on registers alone: chains of x = x * a + b, with fused multiply-adds or without.
#pragma once

#include <string>
#include <vector>

namespace boltzmark {

/// Chains of vectors of one width.
struct FlopKernel {
  std::string precision;  ///< "f32" or "f64"
  bool fma = false;       ///< fused multiply-adds, or a multiplication and an addition each
  int vector_bits = 0;
  int lanes = 0;                    ///< numbers in a vector
  double operations_a_round = 0.0;  ///< vector instructions
  void (*run)(long rounds) = nullptr;
  double flops_a_round() const { return operations_a_round * lanes * (fma ? 2 : 1); }
};

/// Widths that this build has instructions for, the widest first. Empty where it has no fused multiply-add.
std::vector<FlopKernel> fused_kernels();
std::vector<FlopKernel> separate_kernels();

}  // namespace boltzmark
