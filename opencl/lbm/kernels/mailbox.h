// Messages between the work-groups of one launch while they run: populations in words of a mailbox in memory that carry
// their own tag, so that no flag and no fence is needed.
//
// Populations are far below 2, so bit 30 of such a float is never set. In a word this bit is the tag, which changes
// with every second round; for halves the tag is bit 0, which a half does not use. There are two alternating boxes:
//
//     round   0    1    2    3    4
//     box     0    1    0    1    0
//     tag     0    0    1    1    0
//
// A group overwrites what it posted two rounds ago; its neighbours have read that, because otherwise it would not have
// received the words that they posted since. Boxes start with words whose tag is 1.
#ifndef BOLTZMARK_OPENCL_MAILBOX_H
#define BOLTZMARK_OPENCL_MAILBOX_H

#include "opencl/runtime/kernels/groups.h"

#include "cells.h"

#ifdef HALF_STORAGE
#define TAG_BIT 1u
#else
#define TAG_BIT 0x40000000u
#endif

FN uint tag_of(int round) { return round & 2 ? TAG_BIT : 0; }
FN uint word_of(float value, uint tag) { return (as_uint(value) & ~TAG_BIT) | tag; }
FN float value_in(uint word) { return as_float(word & ~TAG_BIT); }

/// One word; load_flag() reads it.
FN void post_word(global uint* to, float value, uint tag) { store_flag(to, word_of(value, tag)); }

#ifdef WARP_SHUFFLES  // NVIDIA: stores and loads through the second-level cache

FN void store_pair(global uint* to, float2 values, uint tag) {
  asm volatile("st.relaxed.gpu.global.v2.u32 [%0], {%1, %2};" ::"l"(to), "r"(word_of(values.x, tag)),
               "r"(word_of(values.y, tag))
               : "memory");
}
FN uint2 load_pair(global uint* from) {
  uint2 words;
  asm volatile("ld.relaxed.gpu.global.v2.u32 {%0, %1}, [%2];" : "=r"(words.x), "=r"(words.y) : "l"(from) : "memory");
  return words;
}
FN void store_four(global uint* to, float4 values, uint tag) {
  asm volatile("st.relaxed.gpu.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(word_of(values.x, tag)),
               "r"(word_of(values.y, tag)), "r"(word_of(values.z, tag)), "r"(word_of(values.w, tag))
               : "memory");
}
FN uint4 load_four(global uint* from) {
  uint4 words;
  asm volatile("ld.relaxed.gpu.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(words.x), "=r"(words.y), "=r"(words.z), "=r"(words.w)
               : "l"(from)
               : "memory");
  return words;
}

#ifdef HEAD_START /* clock ticks */
FN uint ticks(void) {
  uint now;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(now));
  return now;
}
/// Polling too early only occupies the bus.
FN void give_head_start(uint since) {
  while (ticks() - since < HEAD_START) {
  }
}
#endif

#endif

#endif
