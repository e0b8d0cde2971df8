// The measured loops in vectors of one width, as vector_loops.cpp has them when it is compiled for it: patterns that move
// bytes, on arrays of floats, and chains of arithmetic on registers.
#pragma once

#include <cstddef>

#include "common/base/real.h"

namespace boltzmark {

/// Whole pages of 4 KiB. Processors compare the lower bits of a load's address with those of the stores before it: in
/// arrays a little less than whole pages apart, every load would wait for an unrelated store.
KERNEL_FN std::size_t array_spacing(std::size_t values) {
  constexpr std::size_t page = 4096 / sizeof(float);
  return (values + page - 1) / page * page;
}

/// A pattern over arrays of `values` floats each, whose starts lie `array_spacing(values)` floats apart. The first is
/// written (except by read), the others are read, and by update the first too. Counted as in STREAM: every array as
/// often as the loop names it, without other traffic of the hardware.
struct BandwidthPattern {
  const char* name;
  int arrays, named;
  /// `values` is a multiple of `chunk_values`.
  void (*run)(float* first, std::size_t values, long passes);
};

/// Chains of arithmetic.
struct FlopKernel {
  const char *operation, *precision;
  bool fma;                ///< fused multiply-adds, or a multiplication and an addition each
  int operations_a_round;  ///< of numbers
  void (*run)(long rounds);
  double flops_a_round() const { return operations_a_round * (fma ? 2.0 : 1.0); }
};

struct VectorLoops {
  int bits;
  bool (*runs_here)();
  std::size_t chunk_values;  ///< floats that the patterns do at a time
  BandwidthPattern patterns[4];
  FlopKernel multiply_adds[2];  ///< with nullptr if they are to be fused and there is no such instruction
  FlopKernel others[5];
};

/// One multiplication and one addition each, and fused.
extern const VectorLoops loops_128_off, loops_128_fast;
#if defined(__x86_64__)
extern const VectorLoops loops_256_off, loops_256_fast, loops_512_off, loops_512_fast;
#endif

}  // namespace boltzmark
