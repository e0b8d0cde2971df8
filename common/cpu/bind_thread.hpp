// Binds a thread to one processor: a thread that the system moves leaves its rows behind in another cache or memory.
#pragma once

#include <sched.h>

namespace boltzmark {

/// Binds the calling thread; false if the system refuses, and the thread stays unbound.
inline bool bind_thread(int processor) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(processor, &one);
  return sched_setaffinity(0, sizeof one, &one) == 0;
}

}  // namespace boltzmark
