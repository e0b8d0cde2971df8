// Work-groups of a processor that wait for one another while they run, by counts of the work done by each. All must be
// resident at once.
//
// The host defines GROUPS, and how often a wait looks before it gives up: MAX_POLLS, and at the meeting MEET_POLLS.
#ifndef BOLTZMARK_OPENCL_WAITS_H
#define BOLTZMARK_OPENCL_WAITS_H

#include "opencl/runtime/kernels/groups.h"
#include "opencl/runtime/kernels/pack.h"

#ifdef __x86_64__
#define PAUSE __asm__ volatile("pause")
#else
#define PAUSE
#endif
#if defined __x86_64__ && defined __linux__
/// sched_yield(), because after a long wait the awaited group may have been descheduled; kernels have no system
/// functions.
#define LEAVE_CORE                                                         \
  do {                                                                     \
    long number = 24;                                                      \
    __asm__ volatile("syscall" : "+a"(number) : : "rcx", "r11", "memory"); \
  } while (0)
#else
#define LEAVE_CORE
#endif
#define POLLS_ON_CORE 1000 /* some tenths of a millisecond */

#define FAILED 0x7fffffff /* in place of a count, by a group that gave up */
#define PROGRESS_STRIDE 32

/// Waits until a group has reached that count, according to `*seen` or its word; false if it does not. Between two
/// atomic reads, which take the word's cache line from the writing group, it reads the word plainly.
FN bool wait_for(volatile global int* progress, int group, int wanted, int* seen, ulong max_polls) {
  volatile global int* const word = progress + group * PROGRESS_STRIDE;
  for (ulong polls = 0; *seen < wanted; ++polls) {
    if (polls >= max_polls) return false;
    for (int looks = 0; looks < 16 && *word < wanted; ++looks) PAUSE;
    if (polls > POLLS_ON_CORE) LEAVE_CORE;
    *seen = atomic_or(word, 0);
  }
  see_what_was_published();
  return *seen != FAILED;
}

FN void report(volatile global int* progress, int group, int count) {
  publish();
  atomic_xchg(progress + group * PROGRESS_STRIDE, count);
}

/// Whether all groups are resident at once: each waits for all others. Stores 1 in *failures if not.
kernel GROUP_OF(1) void meet(volatile global int* progress, volatile global int* failures) {
  const int group = get_group_id(0);
  atomic_xchg(progress + group * PROGRESS_STRIDE, 1);
  for (int other = 0; other < GROUPS; ++other) {
    int seen = 0;
    if (!wait_for(progress, other, 1, &seen, MEET_POLLS)) atomic_xchg(failures, 1);
  }
}

#endif
