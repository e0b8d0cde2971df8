// Asynchronous copies from global to local memory if the host defines ASYNCHRONOUS_COPIES, because the device has them
// (NVIDIA's, from compute capability 8.0); plain copies otherwise. Items see each other's copies after each has waited
// for its own, followed by a barrier.
#ifndef BOLTZMARK_OPENCL_COPIES_H
#define BOLTZMARK_OPENCL_COPIES_H

#include "opencl/runtime/kernels/pack.h"

#ifdef ASYNCHRONOUS_COPIES
#define COPY(caching, bytes, from, to)                                                                              \
  asm volatile("cp.async." caching ".shared.global [%0], [%1], %2;" ::"l"(LOCAL_ADDRESS(to)), "l"(from), "n"(bytes) \
               : "memory")
FN void start_copy(global const SCALAR* from, local SCALAR* to) { COPY("ca", sizeof(SCALAR), from, to); }
FN void start_vector_copy(global const REAL* from, local REAL* to) { COPY("cg", sizeof(REAL), from, to); }
FN void wait_for_copies(void) { asm volatile("cp.async.wait_all;" ::: "memory"); }
/// Ends a batch of copies, which may be empty; WAIT_FOR_COPIES_BUT waits for all batches but the last few, whose number
/// it is given.
FN void end_of_copies(void) { asm volatile("cp.async.commit_group;" ::: "memory"); }
#define WAIT_FOR_COPIES_BUT(batches) asm volatile("cp.async.wait_group %0;" ::"n"(batches) : "memory")
#else
FN void start_copy(global const SCALAR* from, local SCALAR* to) { *to = *from; }
FN void start_vector_copy(global const REAL* from, local REAL* to) { *to = *from; }
FN void wait_for_copies(void) {}
FN void end_of_copies(void) {}
#define WAIT_FOR_COPIES_BUT(batches)
#endif

#endif
