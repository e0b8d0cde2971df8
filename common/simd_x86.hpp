// Square roots of whole x86 vectors: compilers split a lane-by-lane loop over a vector type into scalar
// instructions. The only file with x86 intrinsics; simd.hpp includes it.
#pragma once

#include <immintrin.h>

namespace boltzmark {

CELL_FN Pack<float, 4> square_root(Pack<float, 4> x) { return {_mm_sqrt_ps(x.raw)}; }
CELL_FN Pack<double, 2> square_root(Pack<double, 2> x) { return {_mm_sqrt_pd(x.raw)}; }
#if defined(__AVX__)
CELL_FN Pack<float, 8> square_root(Pack<float, 8> x) { return {_mm256_sqrt_ps(x.raw)}; }
CELL_FN Pack<double, 4> square_root(Pack<double, 4> x) { return {_mm256_sqrt_pd(x.raw)}; }
#endif
#if defined(__AVX512F__)
// The masked forms with all lanes on are the same instructions; g++ 12 warns inside its own plain ones.
CELL_FN Pack<float, 16> square_root(Pack<float, 16> x) { return {_mm512_maskz_sqrt_ps(0xffff, x.raw)}; }
CELL_FN Pack<double, 8> square_root(Pack<double, 8> x) { return {_mm512_maskz_sqrt_pd(0xff, x.raw)}; }

/// 14-bit estimate and one Newton step: right to a unit in the last place or two, and no slow division.
CELL_FN Pack<float, 16> reciprocal(Pack<float, 16> x) {
  const __m512 estimate = _mm512_maskz_rcp14_ps(0xffff, x.raw);
  return {estimate * (2.0f - x.raw * estimate)};
}
#endif

}  // namespace boltzmark
