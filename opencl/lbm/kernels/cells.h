// The physics of cells in the kernels' numbers, and populations that lie in memory as halves.
//
// With HALF_STORAGE (opencl/runtime/kernels/pack.h) everything is in units of 1/32768 of what it stands for: the method
// is proportional in all populations, so the host gives it density and body force so much larger. The deviations from
// the start state, around 1e-5 to 1e-2, come to lie where a half has all its digits: from 6e-5 to 65504.
#ifndef BOLTZMARK_OPENCL_CELLS_H
#define BOLTZMARK_OPENCL_CELLS_H

#include "opencl/runtime/kernels/pack.h"

#include "common/lbm/cell.h"

/// The row that the body force acts on, of ny: Parameters::driven_row().
#define DRIVEN_ROW_OF(ny) ((ny)-2)

/// Asks for a line of memory that is wanted later. OpenCL's own prefetch does nothing in PoCL.
#if defined __x86_64__ && !defined OPENCL_C_IN_CUDA
#define FETCH(address) __builtin_prefetch((const void*)(size_t)(address), 0, 2)
#else
#define FETCH(address)
#endif

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

/// The value with noise below the last digit of a half, which a store then cuts off: it rounds up with probability
/// equal to the truncated fraction (stochastic rounding).
FN REAL with_noise(REAL value, WORDS noise) { return REAL_OF(WORDS_OF(value) + (noise >> 19)); }
FN WORDS next_noise(WORDS noise) { return noise * 1664525u + 1013904223u; }

#ifdef LATTICE_D3Q19
/// Populations to be stored, with noise as below; of 19 populations the sums of what is lost are small enough.
FN struct Populations dithered(struct Populations a) {
  WORDS noise = (WORDS_OF(a.f[0]) * 0x9e3779b1u + WORDS_OF(a.f[7])) * 0x85ebca6bu + WORDS_OF(a.f[12]);
  UNROLLED for (int i = 0; i < DIRECTIONS; ++i) {
    noise = next_noise(noise);
    a.f[i] = with_noise(a.f[i], noise);
  }
  return a;
}
#else
/// Populations to be stored. Rounded to nearest, what a step changes by less than half a digit would be lost in every
/// step, and the average velocity drifts; hence the noise, a hash of the cell's own last digits, which differ from cell
/// to cell and from step to step. What populations 0 to 4 lose of mass and momentum goes to the diagonal ones, which
/// are smaller and have finer digits: else the noise would drive sound waves.
FN struct Populations dithered(struct Populations a) {
  WORDS noise = (WORDS_OF(a.f[0]) * 0x9e3779b1u + WORDS_OF(a.f[5])) * 0x85ebca6bu + WORDS_OF(a.f[7]);
  REAL lost[5];
  UNROLLED for (int i = 0; i < 5; ++i) {
    noise = next_noise(noise);
    const REAL stored = REAL_OF(WORDS_OF(with_noise(a.f[i], noise)) & 0xffffe000u);
    lost[i] = a.f[i] - stored;
    a.f[i] = stored;
  }
  a = made_good(a, lost);
  UNROLLED for (int i = 5; i < 9; ++i) {
    noise = next_noise(noise);
    a.f[i] = with_noise(a.f[i], noise);
  }
  return a;
}
#endif
#else
#define dithered(a) (a)
#endif

#endif
