// Numbers and truth values of the kernels, as cell.h wants them, and cell.h itself. The host defines LANES
// (cells a work-item updates at once: 1, 2, 4, 8 or 16) and, for double precision, DOUBLES.
#ifndef BOLTZMARK_OPENCL_PACK_H
#define BOLTZMARK_OPENCL_PACK_H

#ifdef DOUBLES
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define SCALAR double
#define LANE_MASK long
#else
#define SCALAR float
#define LANE_MASK int
#endif

// Functions of the kernels are part of their caller: a call would pass whole structs of vectors through
// memory.
#define FN inline __attribute__((always_inline))

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

// How values lie in memory, as STORED. With HALF_STORAGE (the host's choice) they are halves, and the
// arithmetic is that of SCALAR all the same. Everything is then in units of 1/32768 of what it stands for:
// the method is proportional in all populations, so the host gives it density and body force so much larger.
// The deviations from the start state, around 1e-5 to 1e-2, come to lie where a half has all its digits: from
// 6e-5 to 65504. A half is read and written only through functions of OpenCL C's core, so devices need no
// half arithmetic.
#ifdef HALF_STORAGE
#define STORED ushort
#if LANES == 1
#define LOAD(from) vload_half(0, (global const half*)(from))
#define STORE_IN(space, value, to) vstore_half_rtz(value, 0, (space half*)(to))
#else
#define LOAD(from) JOIN(vload_half, LANES)(0, (global const half*)(from))
#define STORE_IN(space, value, to) JOIN(JOIN(vstore_half, LANES), _rtz)(value, 0, (space half*)(to))
#endif
#else
#define STORED SCALAR
#if LANES == 1
#define LOAD(from) (*(from))
#define STORE_IN(space, value, to) (*(to) = (value))
#else
#define LOAD(from) JOIN(vload, LANES)(0, from)
#define STORE_IN(space, value, to) JOIN(vstore, LANES)(value, 0, to)
#endif
#endif
#define STORE(value, to) STORE_IN(global, value, to)

#if LANES == 2
#define LANE_BITS ((MASK)(1, 2))
#elif LANES == 4
#define LANE_BITS ((MASK)(1, 2, 4, 8))
#elif LANES == 8
#define LANE_BITS ((MASK)(1, 2, 4, 8, 16, 32, 64, 128))
#elif LANES == 16
#define LANE_BITS ((MASK)(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768))
#endif

/// Lane i is true where bit i of `bits` is set.
FN MASK mask_from_bits(uint bits) { return (LANE_BITS & (MASK)((int)bits)) != 0; }

/// Sum of the lanes, pair by pair.
FN SCALAR sum_of_lanes(REAL value) {
#if LANES == 16
  const JOIN(SCALAR, 8) eight = value.lo + value.hi;
#elif LANES == 8
  const REAL eight = value;
#endif
#if LANES >= 8
  const JOIN(SCALAR, 4) four = eight.lo + eight.hi;
#elif LANES == 4
  const REAL four = value;
#endif
#if LANES >= 4
  const JOIN(SCALAR, 2) two = four.lo + four.hi;
#elif LANES == 2
  const REAL two = value;
#endif
#if LANES >= 2
  return two.lo + two.hi;
#else
  return value;
#endif
}

// Approximations of a last digit or two, where the host knows that they are that good.
#if defined NATIVE_MATH && !defined DOUBLES
#if defined WARP_SHUFFLES && LANES <= 2
// NVIDIA's native_recip and native_sqrt take care of denormal arguments, in eight instructions more, whatever
// -cl-denorms-are-zero says.
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
FN REAL flushed_roots(REAL x) { return (REAL)(flushed_root(x.x), flushed_root(x.y)); }
FN REAL flushed_inverses(REAL x) { return (REAL)(flushed_inverse(x.x), flushed_inverse(x.y)); }
#define square_root(x) flushed_roots(x)
#define ratio(a, b) ((a)*flushed_inverses(b))
#endif
#else
#define square_root(x) native_sqrt(x)
#define ratio(a, b) ((a)*native_recip(b))
#endif
#endif

// After the types that it is written in.
#include "common/lbm/cell.h"

#ifdef HALF_STORAGE
#if LANES == 1
#define WORDS uint
#define WORDS_OF(value) as_uint(value)
#define REAL_OF(words) as_float(words)
#else
#define WORDS JOIN(uint, LANES)
#define WORDS_OF(value) JOIN(as_uint, LANES)(value)
#define REAL_OF(words) JOIN(as_float, LANES)(words)
#endif

/// The value with noise below the last digit of a half, which a store then cuts off: so it is rounded up as
/// often as what is lost says (stochastic rounding).
FN REAL with_noise(REAL value, WORDS noise) { return REAL_OF(WORDS_OF(value) + (noise >> 19)); }
FN WORDS next_noise(WORDS noise) { return noise * 1664525u + 1013904223u; }

/// Populations to be stored. Rounded to nearest, what a step changes by less than half a digit would be lost
/// in every step, and the average velocity drifts; hence the noise, a hash of the cell's own last digits,
/// which differ from cell to cell and from step to step. What populations 0 to 4 lose of mass and momentum
/// goes to the diagonal ones, which are smaller and have finer digits: else the noise would drive sound
/// waves.
FN struct Populations dithered(struct Populations a) {
  WORDS noise = (WORDS_OF(a.f[0]) * 0x9e3779b1u + WORDS_OF(a.f[5])) * 0x85ebca6bu + WORDS_OF(a.f[7]);
  REAL lost[5];
#pragma unroll
  for (int i = 0; i < 5; ++i) {
    noise = next_noise(noise);
    const REAL stored = REAL_OF(WORDS_OF(with_noise(a.f[i], noise)) & 0xffffe000u);
    lost[i] = a.f[i] - stored;
    a.f[i] = stored;
  }
  const REAL x = lost[1] - lost[3], y = lost[2] - lost[4];
  const REAL mass = lost[0] + (lost[1] + lost[3]) + (lost[2] + lost[4]);
  const REAL east = mass + x, west = mass - x;
  a.f[5] += (SCALAR)0.25f * (east + y);
  a.f[6] += (SCALAR)0.25f * (west + y);
  a.f[7] += (SCALAR)0.25f * (west - y);
  a.f[8] += (SCALAR)0.25f * (east - y);
#pragma unroll
  for (int i = 5; i < 9; ++i) {
    noise = next_noise(noise);
    a.f[i] = with_noise(a.f[i], noise);
  }
  return a;
}
#else
#define dithered(a) (a)
#endif

#endif
