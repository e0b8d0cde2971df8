// Numbers and booleans of the kernels, as needed by common/base/real.h. The host defines LANES (values that a work-item
// handles at once: 1, 2, 4, 8 or 16) and, for double precision, DOUBLES.
#ifndef BOLTZMARK_OPENCL_PACK_H
#define BOLTZMARK_OPENCL_PACK_H

#ifdef DOUBLES
#ifndef OPENCL_C_IN_CUDA
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#define SCALAR double
#define BYTES_OF_SCALAR 8
#define LANE_MASK long
#else
#define SCALAR float
#define BYTES_OF_SCALAR 4
#define LANE_MASK int
#endif

// Constructs that CUDA C++ spells differently (cuda/runtime/kernels/language.h).
#ifndef OPENCL_C_IN_CUDA
// Functions are inlined, because a call would pass structs of vectors through memory.
#define FN inline __attribute__((always_inline))
#define GROUP_OF(items) __attribute__((reqd_work_group_size(items, 1, 1))) /* of a kernel that has no rows */
#define VECTOR(type) (type)               /* VECTOR(float2)(x, y); or of one number, which all its lanes get */
#define STRUCT(type) (struct type)        /* STRUCT(Pair){x, y} */
#define LOCAL_VARIABLE local              /* of a kernel's variables in local memory */
#define LOCAL_PARAMETER(type) local type* /* of a kernel: memory of as many bytes as the host says */
// LARGE_LOCAL_ARRAY declares the one array of a kernel that may have more than 48 KiB, and LARGE_LOCAL_BYTES, before
// the kernel, states its size. It begins at a multiple of 16 bytes.
#define LARGE_LOCAL_ARRAY(type, name, extents) local type name extents __attribute__((aligned(16)))
#define LARGE_LOCAL_BYTES(name_of_kernel, bytes)
#define LOCAL_ADDRESS(pointer) (pointer)                       /* for PTX */
#define OPAQUE_LOCAL(pointer) asm volatile("" : "+l"(pointer)) /* the compiler forgets how it was computed */
#define KNOWN_GLOBAL(pointer) (pointer)
#define LOW(vector) (vector).lo
#define HIGH(vector) (vector).hi
#endif

/// Before loops that index registers and tables.
#define UNROLLED _Pragma("unroll")

#define JOIN_TOKENS(a, b) a##b
#define JOIN(a, b) JOIN_TOKENS(a, b)

#if LANES == 1
#define REAL SCALAR
#define MASK int
#define LANE_BITS 1
#define ALL(mask) (mask)
#else
#define REAL JOIN(SCALAR, LANES)
#define MASK JOIN(LANE_MASK, LANES)
#define ALL(mask) all(mask)
#endif

#if !defined OPENCL_C_IN_CUDA && defined __clang__ && (defined __x86_64__ || defined __aarch64__)
#define CLANG_ON_PROCESSOR
#endif

// STORED is the type of values in memory. With HALF_STORAGE (the host's choice) they are halves, while the arithmetic
// stays that of SCALAR. A half is read and written only through functions of OpenCL C's core, so devices need no half
// arithmetic. LOAD_ONE and STORE_ONE handle one value; the latter rounds to nearest.
#ifdef HALF_STORAGE
#define STORED ushort
#define LOAD_ONE_IN(space, from) vload_half(0, (space const half*)(from))
#define STORE_ONE(value, to) vstore_half(value, 0, (global half*)(to))
#if LANES == 1
#define LOAD_IN(space, from) LOAD_ONE_IN(space, from)
#define STORE_IN(space, value, to) vstore_half_rtz(value, 0, (space half*)(to))
#else
#define LOAD_IN(space, from) JOIN(vload_half, LANES)(0, (space const half*)(from))
#define STORE_IN(space, value, to) JOIN(JOIN(vstore_half, LANES), _rtz)(value, 0, (space half*)(to))
#endif
#else
#define STORED SCALAR
#define LOAD_ONE_IN(space, from) (*(from))
#define STORE_ONE(value, to) (*(to) = (value))
#if LANES == 1
#define LOAD_IN(space, from) (*(from))
#define STORE_IN(space, value, to) (*(to) = (value))
#else
#define LOAD_IN(space, from) JOIN(vload, LANES)(0, from)
#ifdef CLANG_ON_PROCESSOR /* vstore16 of PoCL 3.1 is three stores */
typedef REAL REAL_ANYWHERE __attribute__((aligned(BYTES_OF_SCALAR)));
#define STORE_IN(space, value, to) (*(space REAL_ANYWHERE*)(to) = (value))
#else
#define STORE_IN(space, value, to) JOIN(vstore, LANES)(value, 0, to)
#endif
#endif
#endif
#define LOAD_ONE(from) LOAD_ONE_IN(global, from)
#define LOAD(from) LOAD_IN(global, from)
#define STORE(value, to) STORE_IN(global, value, to)

#if LANES == 2
#define LANE_BITS (VECTOR(MASK)(1, 2))
#elif LANES == 4
#define LANE_BITS (VECTOR(MASK)(1, 2, 4, 8))
#elif LANES == 8
#define LANE_BITS (VECTOR(MASK)(1, 2, 4, 8, 16, 32, 64, 128))
#elif LANES == 16
#define LANE_BITS (VECTOR(MASK)(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768))
#endif

/// Lane i is true if bit i of `bits` is set.
FN MASK mask_from_bits(uint bits) { return (LANE_BITS & VECTOR(MASK)((int)bits)) != 0; }

/// Sum of the lanes, pair by pair.
FN SCALAR sum_of_lanes(REAL value) {
#if LANES == 16
  const JOIN(SCALAR, 8) eight = LOW(value) + HIGH(value);
#elif LANES == 8
  const REAL eight = value;
#endif
#if LANES >= 8
  const JOIN(SCALAR, 4) four = LOW(eight) + HIGH(eight);
#elif LANES == 4
  const REAL four = value;
#endif
#if LANES >= 4
  const JOIN(SCALAR, 2) two = LOW(four) + HIGH(four);
#elif LANES == 2
  const REAL two = value;
#endif
#if LANES >= 2
  return LOW(two) + HIGH(two);
#else
  return value;
#endif
}

// Approximations, accurate to one or two units in the last place where the host defines them.
#if defined NATIVE_MATH && !defined DOUBLES
#if defined WARP_SHUFFLES && LANES <= 2
// NVIDIA's native_recip and native_sqrt spend eight instructions on denormals despite -cl-denorms-are-zero.
FN float flushed_root(float x) {
  float root;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
  return root;
}
FN float flushed_inverse(float x) {
  float inverse;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(x));
  return inverse;
}
#if LANES == 1
#define square_root(x) flushed_root(x)
#define ratio(a, b) ((a)*flushed_inverse(b))
#else
FN REAL flushed_roots(REAL x) { return VECTOR(REAL)(flushed_root(x.x), flushed_root(x.y)); }
FN REAL flushed_inverses(REAL x) { return VECTOR(REAL)(flushed_inverse(x.x), flushed_inverse(x.y)); }
#define square_root(x) flushed_roots(x)
#define ratio(a, b) ((a)*flushed_inverses(b))
#endif
#else
#define square_root(x) native_sqrt(x)
#define ratio(a, b) ((a)*native_recip(b))
#endif
#endif

// NVIDIA's divisions and roots of doubles branch for numbers that are not normal, and instructions cannot move across
// such a branch. The approximations are accurate to at least 18 bits: x y = 1 - e, or x y^2 = 1 - e for a root, and
// enough terms of the series in e are taken for an accuracy of one or two units in the last place.
#if LANES == 1 && defined __NV_CL_C_VERSION || defined OPENCL_C_IN_CUDA && !defined OPENCL_C_IN_HIP
/// One instruction. If `a` is half of a 64-bit number, NVIDIA's compilers would otherwise add a 0 to the product.
FN ulong wide_product(uint a, uint b) {
  ulong product;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(product) : "r"(a), "r"(b));
  return product;
}
#define wide_product(a, b) wide_product(a, b)
#ifdef DOUBLES
FN double near_inverse(double x) {
  double inverse_of_x;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(inverse_of_x) : "d"(x));
  const double e = fma(-x, inverse_of_x, 1.0);
  return fma(fma(e, e, e), inverse_of_x, inverse_of_x);
}
FN double near_inverse_root_cubed(double x) {
  double inverse_root;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(inverse_root) : "d"(x));
  const double square = inverse_root * inverse_root, cube = inverse_root * square, e = fma(-x, square, 1.0);
  return fma(cube * e, fma(e, 15.0 / 8.0, 1.5), cube);
}
/// If `least` is not negative, numbers have the order of their bits. Comparisons of doubles would use the unit that
/// limits the arithmetic.
FN double greater_double(double x, double least) {
  return as_double((ulong)max((long)as_ulong(x), (long)as_ulong(least)));
}
#ifdef OPENCL_C_IN_CUDA
#define at_least(x, least) each_lane(x, [=](double lane) { return greater_double(lane, least); })
LANE_BY_LANE(near_inverse)
LANE_BY_LANE(near_inverse_root_cubed)
#else
#define at_least(x, least) greater_double(x, least)
#endif
/// x + i, exact if both are whole numbers below 2^52: the bits of 2^52 + i need no conversion, which takes as long as
/// 16 additions.
FN double plus_index(double x, uint i) { return as_double(0x4330000000000000ul | i) + (x - 0x1p52); }
#define plus_index(x, i) plus_index(x, i)
#define near_ratio(a, b) (near_inverse(b) * (a))
#define inverse_root_cubed(x) near_inverse_root_cubed(x)
#else
/* One instruction; of a comparison and a choice the compiler makes two. */
FN float greater_float(float a, float b) {
  float greater;
  asm("max.ftz.f32 %0, %1, %2;" : "=f"(greater) : "f"(a), "f"(b));
  return greater;
}
#ifdef OPENCL_C_IN_CUDA
#define at_least(x, least) each_lane(x, [=](float lane) { return greater_float(lane, least); })
#else
#define at_least(x, least) greater_float(x, least)
#endif
#endif
#endif

// Must follow the types and square roots that it uses.
#include "common/base/real.h"

#endif
