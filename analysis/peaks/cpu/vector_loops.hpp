// The measured loops in vectors of one width, as vector_loops.cpp has them when it is compiled for it.
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

struct VectorLoops {
  using Rounds = void (*)(long rounds);
  using Passes = void (*)(float* first, std::size_t values, long passes);

  int bits;
  bool (*runs_here)();
  int multiply_adds;  ///< vector instructions in a round of the first two, or twice as many where they are not fused
  Rounds multiply_add_f32, multiply_add_f64;  ///< nullptr if there is no such instruction
  std::size_t chunk_values;                   ///< floats that the passes do at a time
  Passes read, copy, triad;
  int operations;  ///< vector instructions in a round of the rest
  Rounds division_f32, division_f64, root_f32, root_f64, wide_multiplication;
};

/// One multiplication and one addition each, and fused.
extern const VectorLoops loops_128_off, loops_128_fast;
#if defined(__x86_64__)
extern const VectorLoops loops_256_off, loops_256_fast, loops_512_off, loops_512_fast;
#endif

}  // namespace boltzmark
