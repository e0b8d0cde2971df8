// The physics of cells in the kernels' numbers, and populations stored as halves.
//
// With HALF_STORAGE (opencl/runtime/kernels/pack.h) everything is in units of 1/32768: the method is proportional in
// all populations, so the host passes density and body force larger by that factor. The deviations from the start
// state, around 1e-5 to 1e-2, are thus in the range in which a half has all its digits, from 6e-5 to 65504.
#ifndef BOLTZMARK_OPENCL_CELLS_H
#define BOLTZMARK_OPENCL_CELLS_H

#include "opencl/runtime/kernels/pack.h"

#include "common/lbm/cell.h"

/// The row of ny on which the body force acts: Parameters::driven_row().
#define DRIVEN_ROW_OF(ny) ((ny)-2)

/// Prefetches a line of memory. OpenCL's own prefetch does nothing in PoCL.
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

/// The value with noise below the last digit of a half, which a store then truncates: it rounds up with a probability
/// equal to the truncated fraction (stochastic rounding).
FN REAL with_noise(REAL value, WORDS noise) { return REAL_OF(WORDS_OF(value) + (noise >> 19)); }
FN WORDS next_noise(WORDS noise) { return noise * 1664525u + 1013904223u; }

#ifdef LATTICE_D3Q19
/// Populations to be stored, with noise as below; with 19 populations the sums of the losses are small enough.
FN struct Populations dithered(struct Populations a) {
  WORDS noise = (WORDS_OF(a.f[0]) * 0x9e3779b1u + WORDS_OF(a.f[7])) * 0x85ebca6bu + WORDS_OF(a.f[12]);
  UNROLLED for (int i = 0; i < DIRECTIONS; ++i) {
    noise = next_noise(noise);
    a.f[i] = with_noise(a.f[i], noise);
  }
  return a;
}
#else
/// Populations to be stored. With rounding to nearest, changes of less than half a digit would be lost in every step,
/// and the average velocity would drift; hence the noise, a hash of the cell's own last digits, which differ between
/// cells and steps. The mass and momentum that populations 0 to 4 lose are added to the diagonal ones, which are
/// smaller and have finer digits; otherwise the noise would drive sound waves.
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
