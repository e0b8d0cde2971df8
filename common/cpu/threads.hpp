// The number of threads in each parallel region of a process: OpenMP's, where a program is compiled with it, or else 1.
#pragma once

#ifdef _OPENMP
#include <omp.h>
#endif

#include <unistd.h>

#include <cstdlib>
#include <optional>

#include "common/base/error.hpp"

namespace boltzmark {

#ifdef _OPENMP
/// Set while threads are started for the first time. If the system has no room for them, GCC's runtime prints a line
/// and exits with status 1, which is that of a wrong result; the handler makes it `unavailable`.
inline bool& are_threads_starting() {
  static bool starting = false;
  return starting;
}
inline void exit_while_starting() {
  if (are_threads_starting()) _exit(static_cast<int>(ExitStatus::unavailable));
}
#endif

#ifdef _OPENMP
/// As many as the runtime says (OMP_NUM_THREADS and the like), before a variant told it another number.
inline int usual_threads() {
  static const int threads = omp_get_max_threads();
  return threads;
}
#endif

/// Starts `asked` threads, or usual_threads(), and returns their number: the
/// `num_threads` of every later region. Throws Error (unavailable) if there are fewer than asked for.
inline int check_threads(std::optional<int> asked) {
  int threads = 1;
#ifdef _OPENMP
  const int wanted = asked.value_or(usual_threads());
  static const int registered = std::atexit(exit_while_starting);
  are_threads_starting() = registered == 0;
#pragma omp parallel num_threads(wanted)
#pragma omp single
  threads = omp_get_num_threads();
  are_threads_starting() = false;
  if (asked && threads != wanted)
    throw unavailable("--threads: expected {} threads, found that the OpenMP runtime gives {} (OMP_THREAD_LIMIT?)",
                      wanted, threads);
#else
  if (asked.value_or(1) != 1)
    throw unavailable("--threads: expected 1, for this program was built without OpenMP, found {}", *asked);
#endif
  return threads;
}

}  // namespace boltzmark
