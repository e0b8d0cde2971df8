// Rows of halves accessed in words, for the warps of an NVIDIA device whose work-items take two cells each. At a place
// that the compiler considers odd, a load or store of a pair becomes two of two bytes, and twice as many are then in
// flight for the same bytes. So pairs are read and written at aligned places, and a pair gets values of the next pair
// from the lane that has read it.
#ifndef BOLTZMARK_OPENCL_HALF_PAIRS_H
#define BOLTZMARK_OPENCL_HALF_PAIRS_H

#include "cells.h"
#include "opencl/runtime/kernels/warps.h"

FN REAL pair_in_word(uint word) {
  REAL pair;
  asm("{ .reg .b16 low, high; mov.b32 {low, high}, %2; cvt.f32.f16 %0, low; cvt.f32.f16 %1, high; }"
      : "=f"(pair.x), "=f"(pair.y)
      : "r"(word));
  return pair;
}

FN uint word_of_pair(REAL pair) {
  uint word;
  asm("cvt.rz.f16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(pair.y), "f"(pair.x));
  return word;
}

FN void store_pair_word(uint word, global STORED* to) { *(global ushort2*)to = as_ushort2(word); }
FN void store_half_pair(REAL pair, global STORED* to) { store_pair_word(word_of_pair(pair), to); }

FN uint word_at(global const STORED* from) { return as_uint(*(global const ushort2*)from); }

#ifndef LATTICE_D3Q19

#if GROUP_X % 32 != 0 || VECTORS != 1
#error "a warp has to lie along a row"
#endif

/// The lanes of this warp that have a vector; the others take no part.
FN uint lanes_in_row(int vectors) {
  const int here = vectors - (int)(get_global_id(0) - get_local_id(0) % WARP);
  return here >= WARP ? ALL_LANES : (1u << here) - 1;
}

/// Pairs that begin one cell further west, or east, than those of `words`, three at a time: the words of three
/// populations here, and the place of each.
struct Triple {
  uint words[3];
  global const STORED* from[3];
};

FN void move_from_west(struct Triple* t, uint lanes) {
  uint before[3];
  if (get_local_id(0) % WARP == 0) UNROLLED for (int i = 0; i < 3; ++i) before[i] = (uint)t->from[i][-1] << 16;
  UNROLLED for (int i = 0; i < 3; ++i) {
    uint other;
    asm volatile("shfl.sync.up.b32 %0, %1, 1, 0, %2;" : "=r"(other) : "r"(t->words[i]), "r"(lanes));
    if (get_local_id(0) % WARP != 0) before[i] = other;
    t->words[i] = t->words[i] << 16 | before[i] >> 16;
  }
}

FN void move_from_east(struct Triple* t, uint lanes) {
  const bool is_last = lanes >> (get_local_id(0) % WARP) == 1;
  uint next[3];
  if (is_last) UNROLLED for (int i = 0; i < 3; ++i) next[i] = t->from[i][2];
  UNROLLED for (int i = 0; i < 3; ++i) {
    const uint other = word_from_above(t->words[i], 1, lanes);
    if (!is_last) next[i] = other;
    t->words[i] = t->words[i] >> 16 | next[i] << 16;
  }
}

#endif
#endif
