// The measured loops: patterns that move bytes, on arrays of floats, and chains of arithmetic on registers.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/peaks/cpu/vector_loops.hpp"
#include "common/run/traffic.hpp"

namespace boltzmark {

/// A pattern over arrays of `values` floats each, whose starts lie `array_spacing(values)` floats apart. The first is
/// written (except by read), the others are read. Counted as in STREAM: every array once per pass, without other
/// traffic of the hardware.
struct BandwidthPattern {
  std::string name;  ///< "read", "copy" or "triad"
  int arrays = 0;
  /// `values` is a multiple of `chunk_values()`.
  void (*run)(float* first, std::size_t values, long passes) = nullptr;
};

const std::vector<BandwidthPattern>& bandwidth_patterns();

/// Floats that the loops do at a time.
std::size_t chunk_values();

/// Chains of vectors of one width.
struct FlopKernel {
  std::string precision;  ///< "f32" or "f64"; "u32" for wide multiplications
  bool fma = false;       ///< fused multiply-adds, or a multiplication and an addition each
  int vector_bits = 0;
  int lanes = 0;                    ///< numbers in a vector
  double operations_a_round = 0.0;  ///< vector instructions
  void (*run)(long rounds) = nullptr;
  std::string operation = operation::multiply_add;
  double flops_a_round() const { return operations_a_round * lanes * (fma ? 2 : 1); }
};

/// All widths that this processor has, whatever this build is for, the widest first: fused where there is such an
/// instruction, and not.
std::vector<FlopKernel> multiply_add_kernels();

/// Chains of the other operations, each in the widest vectors, in the form of the layer's kernels.
std::vector<FlopKernel> operation_kernels();

}  // namespace boltzmark
