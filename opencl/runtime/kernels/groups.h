// Communication between the work-groups of one launch through memory: a group publishes its writes, then changes a
// word; a group that has seen the word sees the published data. OpenCL 1.2 does not guarantee this, but devices do it
// with a fence at either end.
#ifndef BOLTZMARK_OPENCL_GROUPS_H
#define BOLTZMARK_OPENCL_GROUPS_H

#include "opencl/runtime/kernels/pack.h"

#ifdef WARP_SHUFFLES  // NVIDIA

FN void publish(void) { asm volatile("membar.gl;" ::: "memory"); }
FN void see_what_was_published(void) { asm volatile("membar.gl;" ::: "memory"); }
/// Adds 1 and returns the old value.
FN uint count_up(volatile global uint* counter) {
  uint before;
  asm volatile("atom.global.add.u32 %0, [%1], 1;" : "=r"(before) : "l"(counter) : "memory");
  return before;
}
FN uint load_flag(volatile global uint* flag) {
  uint word;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(word) : "l"(flag) : "memory");
  return word;
}
FN void store_flag(volatile global uint* flag, uint word) {
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(flag), "r"(word) : "memory");
}
/// Words of 64 bits, read and written as a whole.
FN ulong load_word(volatile global ulong* from) {
  ulong word;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(from) : "memory");
  return word;
}
FN void store_word(volatile global ulong* to, ulong word) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(word) : "memory");
}

#else

FN void publish(void) { mem_fence(CLK_GLOBAL_MEM_FENCE); }
FN void see_what_was_published(void) { mem_fence(CLK_GLOBAL_MEM_FENCE); }
FN uint count_up(volatile global uint* counter) { return atomic_inc(counter); }
FN uint load_flag(volatile global uint* flag) { return atomic_or(flag, 0u); }
FN void store_flag(volatile global uint* flag, uint word) { atomic_xchg(flag, word); }

#endif

#endif
