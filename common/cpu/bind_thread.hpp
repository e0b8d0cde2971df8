// A thread that stays on one processor: one that the system moves leaves its rows behind in a cache or memory.
#pragma once

#include <sched.h>

namespace boltzmark {

/// Binds the calling thread; where that is refused (false) it stays where the system puts it.
inline bool bind_thread(int processor) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(processor, &one);
  return sched_setaffinity(0, sizeof one, &one) == 0;
}

}  // namespace boltzmark
