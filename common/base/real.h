// The arithmetic in which a kernel is written once for C++ (float, double, SIMD packs, counting types) and for OpenCL
// C: the language's words for a function, a square root and a selection.
//
// In C++ a kernel is a template over REAL (REAL_IS_GENERIC). In OpenCL C the includer defines REAL, SCALAR and MASK
// first, e.g. float, float and int, or float16, float and int16; and likewise where CUDA C++ takes the place of OpenCL
// C (cuda/runtime/kernels/language.h).
#ifndef BOLTZMARK_COMMON_BASE_REAL_H
#define BOLTZMARK_COMMON_BASE_REAL_H

#if defined __cplusplus && !defined OPENCL_C_IN_CUDA
#define REAL_IS_GENERIC
#endif

#ifdef REAL_IS_GENERIC
#include <cmath>

namespace boltzmark {

/// Element type and comparison result of a REAL; packs specialise it.
template <class REAL>
struct RealTraits {
  using Scalar = REAL;
  using Mask = bool;
};

#ifndef KERNEL_FN /* a model's compiler may want more than the word inline */
#define KERNEL_FN inline __attribute__((always_inline))
#endif

KERNEL_FN float square_root(float x) { return std::sqrt(x); }
KERNEL_FN double square_root(double x) { return std::sqrt(x); }
KERNEL_FN float exponential(float x) { return std::exp(x); }
KERNEL_FN double exponential(double x) { return std::exp(x); }
KERNEL_FN float ratio(float a, float b) { return a / b; }
KERNEL_FN double ratio(double a, double b) { return a / b; }
KERNEL_FN float multiply_add(float a, float b, float c) { return a * b + c; }
KERNEL_FN double multiply_add(double a, double b, double c) { return a * b + c; }
KERNEL_FN float choose(bool mask, float if_true, float if_false) { return mask ? if_true : if_false; }
KERNEL_FN double choose(bool mask, double if_true, double if_false) { return mask ? if_true : if_false; }
KERNEL_FN float lesser_of(float a, float b) { return a < b ? a : b; }
KERNEL_FN double lesser_of(double a, double b) { return a < b ? a : b; }
KERNEL_FN float greater_of(float a, float b) { return a > b ? a : b; }
KERNEL_FN double greater_of(double a, double b) { return a > b ? a : b; }
KERNEL_FN bool inverse(bool mask) { return !mask; }

/// The larger of x and `least`, which must not be negative.
template <class REAL>
KERNEL_FN REAL at_least(REAL x, typename RealTraits<REAL>::Scalar least) {
  return greater_of(x, REAL{} + least);
}
template <class REAL>
KERNEL_FN REAL inverse_root(REAL x) {
  return ratio(typename RealTraits<REAL>::Scalar(1), square_root(x));
}
/// 1 / sqrt(x)^3, accurate to a few units in the last place.
template <class REAL>
KERNEL_FN REAL inverse_root_cubed(REAL x) {
  return ratio(typename RealTraits<REAL>::Scalar(1), x * square_root(x));
}
/// x + i.
template <class T>
KERNEL_FN T plus_index(T x, unsigned int i) {
  return x + static_cast<T>(i);
}
/// a / b, accurate to one or two units in the last place if b and the result are normal numbers.
template <class REAL>
KERNEL_FN REAL near_ratio(typename RealTraits<REAL>::Scalar a, REAL b) {
  return ratio(a, b);
}

#ifdef __NVPTX__
// As in opencl/runtime/kernels/pack.h, which gives the reason.
KERNEL_FN double near_ratio(double a, double b) {
  double y;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(b));
  const double e = __builtin_fma(-b, y, 1.0);
  return a * __builtin_fma(__builtin_fma(e, e, e), y, y);
}
KERNEL_FN float near_ratio(float a, float b) {
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(b));
  return a * y;
}
KERNEL_FN double inverse_root_cubed(double x) {
  double y;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  const double square = y * y, cube = y * square, e = __builtin_fma(-x, square, 1.0);
  return __builtin_fma(cube * e, __builtin_fma(e, 15.0 / 8.0, 1.5), cube);
}
KERNEL_FN float inverse_root_cubed(float x) {
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y * y * y;
}
KERNEL_FN float at_least(float x, float least) { return __builtin_fmaxf(x, least); }
KERNEL_FN double at_least(double x, double least) {
  const auto bits = __builtin_bit_cast(long long, x), least_bits = __builtin_bit_cast(long long, least);
  return __builtin_bit_cast(double, bits < least_bits ? least_bits : bits);
}
KERNEL_FN double plus_index(double x, unsigned int i) {
  const unsigned long long bits = 0x4330000000000000u | i;
  return __builtin_bit_cast(double, bits) + (x - 0x1p52);
}
#endif

}  // namespace boltzmark
#else
#ifndef KERNEL_FN
#define KERNEL_FN inline __attribute__((always_inline)) /* or structs of vectors pass through memory */
#endif
#ifndef square_root /* the includer may know faster ones */
#define square_root(x) sqrt(x)
#define ratio(a, b) ((a) * ((SCALAR)1 / (b)))
#endif
#define multiply_add(a, b, c) ((a) * (b) + (c))
#define exponential(x) exp(x)
#ifndef choose /* where ?: does not choose lane by lane */
#define choose(mask, if_true, if_false) ((mask) ? (if_true) : (if_false))
#endif
#define lesser_of(a, b) choose((a) < (b), a, b)
#define greater_of(a, b) choose((a) > (b), a, b)
#define inverse_root(x) rsqrt(x)
#ifndef at_least /* nor these */
#define at_least(x, least) choose((x) > (least), x, VECTOR(REAL)(least))
#endif
#ifndef plus_index
#define plus_index(x, i) ((x) + (SCALAR)(i))
#endif
#ifndef near_ratio
#define near_ratio(a, b) ratio(a, b)
#endif
#ifndef inverse_root_cubed
KERNEL_FN REAL inverse_root_cubed(REAL x) {
  const REAL root = inverse_root(x);
  return root * root * root;
}
#endif
#define inverse(mask) (~(mask)) /* masks have all bits set or none */
#endif

#endif
