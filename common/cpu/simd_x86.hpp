// Operations that compilers do not derive from vector types: square roots of whole x86 vectors (a loop over lanes ends
// in scalar instructions), stores past the caches, and multiplications fused with additions exactly where cell.h says
// so. The only file that includes the headers of x86 intrinsics; simd.hpp includes it.
#pragma once

#include <immintrin.h>

namespace boltzmark {

KERNEL_FN Pack<float, 4> square_root(Pack<float, 4> x) { return {_mm_sqrt_ps(x.raw)}; }
KERNEL_FN Pack<double, 2> square_root(Pack<double, 2> x) { return {_mm_sqrt_pd(x.raw)}; }
#if defined(__AVX__)
KERNEL_FN Pack<float, 8> square_root(Pack<float, 8> x) { return {_mm256_sqrt_ps(x.raw)}; }
KERNEL_FN Pack<double, 4> square_root(Pack<double, 4> x) { return {_mm256_sqrt_pd(x.raw)}; }
KERNEL_FN Pack<float, 8> lesser_of(Pack<float, 8> a, Pack<float, 8> b) { return {_mm256_min_ps(a.raw, b.raw)}; }
KERNEL_FN Pack<double, 4> lesser_of(Pack<double, 4> a, Pack<double, 4> b) { return {_mm256_min_pd(a.raw, b.raw)}; }
KERNEL_FN Pack<float, 8> greater_of(Pack<float, 8> a, Pack<float, 8> b) { return {_mm256_max_ps(a.raw, b.raw)}; }
KERNEL_FN Pack<double, 4> greater_of(Pack<double, 4> a, Pack<double, 4> b) { return {_mm256_max_pd(a.raw, b.raw)}; }
#endif
#if defined(__AVX512F__)
// The masked forms with all lanes on are the same instructions; g++ 12 warns inside its own unmasked ones.
KERNEL_FN Pack<float, 16> square_root(Pack<float, 16> x) { return {_mm512_maskz_sqrt_ps(0xffff, x.raw)}; }
KERNEL_FN Pack<double, 8> square_root(Pack<double, 8> x) { return {_mm512_maskz_sqrt_pd(0xff, x.raw)}; }
#endif

KERNEL_FN void store_past_caches(Pack<float, 4> x, float* to) { _mm_stream_ps(to, x.raw); }
KERNEL_FN void store_past_caches(Pack<double, 2> x, double* to) { _mm_stream_pd(to, x.raw); }
#if defined(__AVX__)
KERNEL_FN void store_past_caches(Pack<float, 8> x, float* to) { _mm256_stream_ps(to, x.raw); }
KERNEL_FN void store_past_caches(Pack<double, 4> x, double* to) { _mm256_stream_pd(to, x.raw); }
#endif
#if defined(__AVX512F__)
KERNEL_FN void store_past_caches(Pack<float, 16> x, float* to) { _mm512_stream_ps(to, x.raw); }
KERNEL_FN void store_past_caches(Pack<double, 8> x, double* to) { _mm512_stream_pd(to, x.raw); }
#endif

#if defined(__F16C__)
KERNEL_FN void load_halves(const Half* from, Pack<float, 8>& to) {
  to.raw = _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
}
KERNEL_FN void store_halves(Pack<float, 8> x, Half* to) {
  const __m128i halves = _mm256_cvtps_ph(x.raw, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), halves);
}
#endif
#if defined(__AVX512F__)
KERNEL_FN void load_halves(const Half* from, Pack<float, 16>& to) {
  to.raw = _mm512_maskz_cvtph_ps(0xffff, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
}
KERNEL_FN __m256i halves_of(Pack<float, 16> x) {
  return _mm512_maskz_cvtps_ph(0xffff, x.raw, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}
KERNEL_FN void store_halves(Pack<float, 16> x, Half* to) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), halves_of(x));
}
KERNEL_FN void store_past_caches(const Half* first, Pack<float, 16> x, Half* to) {
  const auto low = _mm512_castsi256_si512(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(first)));
  _mm512_stream_si512(reinterpret_cast<__m512i*>(to), _mm512_maskz_inserti64x4(0xff, low, halves_of(x), 1));
}
#endif

#if defined(__FMA__)
/// Uses the same factor in all lanes.
template <class T, int N>
requires(N * sizeof(T) >= 16) KERNEL_FN Pack<T, N> multiply_add(Pack<T, N> a, T b, Pack<T, N> c) {
  return multiply_add(a, Pack<T, N>{b - typename Pack<T, N>::Raw{}}, c);
}
KERNEL_FN Pack<float, 4> multiply_add(Pack<float, 4> a, Pack<float, 4> b, Pack<float, 4> c) {
  return {_mm_fmadd_ps(a.raw, b.raw, c.raw)};
}
KERNEL_FN Pack<double, 2> multiply_add(Pack<double, 2> a, Pack<double, 2> b, Pack<double, 2> c) {
  return {_mm_fmadd_pd(a.raw, b.raw, c.raw)};
}
KERNEL_FN Pack<float, 8> multiply_add(Pack<float, 8> a, Pack<float, 8> b, Pack<float, 8> c) {
  return {_mm256_fmadd_ps(a.raw, b.raw, c.raw)};
}
KERNEL_FN Pack<double, 4> multiply_add(Pack<double, 4> a, Pack<double, 4> b, Pack<double, 4> c) {
  return {_mm256_fmadd_pd(a.raw, b.raw, c.raw)};
}
#endif
#if defined(__AVX512F__)
KERNEL_FN Pack<float, 16> multiply_add(Pack<float, 16> a, Pack<float, 16> b, Pack<float, 16> c) {
  return {_mm512_fmadd_ps(a.raw, b.raw, c.raw)};
}
KERNEL_FN Pack<double, 8> multiply_add(Pack<double, 8> a, Pack<double, 8> b, Pack<double, 8> c) {
  return {_mm512_fmadd_pd(a.raw, b.raw, c.raw)};
}

/// One instruction; compilers make two of a comparison and a selection.
KERNEL_FN Pack<float, 16> lesser_of(Pack<float, 16> a, Pack<float, 16> b) {
  return {_mm512_maskz_min_ps(0xffff, a.raw, b.raw)};
}
KERNEL_FN Pack<double, 8> lesser_of(Pack<double, 8> a, Pack<double, 8> b) {
  return {_mm512_maskz_min_pd(0xff, a.raw, b.raw)};
}
KERNEL_FN Pack<float, 16> greater_of(Pack<float, 16> a, Pack<float, 16> b) {
  return {_mm512_maskz_max_ps(0xffff, a.raw, b.raw)};
}
KERNEL_FN Pack<double, 8> greater_of(Pack<double, 8> a, Pack<double, 8> b) {
  return {_mm512_maskz_max_pd(0xff, a.raw, b.raw)};
}

// An approximation y is accurate to some 14 bits, with x y^2 = 1 - e. Then 1 / sqrt(x)^3 = y^3 (1 - e)^(-3/2), whose
// series is summed to the terms that the precision needs, in a fraction of the time of a root and a division.
KERNEL_FN Pack<float, 16> inverse_root_cubed(Pack<float, 16> x) {
  const Pack<float, 16> y = {_mm512_maskz_rsqrt14_ps(0xffff, x.raw)}, square = y * y;
  const Pack<float, 16> e = {_mm512_fnmadd_ps(x.raw, square.raw, _mm512_set1_ps(1.0f))};
  return multiply_add(e * 1.5f, y * square, y * square);
}
KERNEL_FN Pack<double, 8> inverse_root_cubed(Pack<double, 8> x) {
  const Pack<double, 8> y = {_mm512_maskz_rsqrt14_pd(0xff, x.raw)}, square = y * y, cube = y * square;
  const Pack<double, 8> e = {_mm512_fnmadd_pd(x.raw, square.raw, _mm512_set1_pd(1.0))};
  const auto all = [](double value) { return Pack<double, 8>::zero() + value; };
  return multiply_add(cube * e, multiply_add(e, multiply_add(e, 35.0 / 16.0, all(15.0 / 8.0)), all(1.5)), cube);
}
#endif

}  // namespace boltzmark
