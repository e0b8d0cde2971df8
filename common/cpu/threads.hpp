// The number of threads in each parallel region of a process: OpenMP's if a program is compiled with it, else 1.
#pragma once

#ifdef _OPENMP
#include <omp.h>
#endif

#include <optional>

#include "common/base/error.hpp"
#include "common/cpu/openmp.hpp"

namespace boltzmark {

#ifdef _OPENMP
/// The runtime's own choice (default_threads) before a variant sets another number.
inline int usual_threads() {
  static const int threads = default_threads(omp_get_max_threads());
  return threads;
}

/// Number of this thread in a parallel region whose work is divided for this many threads. If the runtime starts fewer
/// than before (OMP_DYNAMIC), the process ends here.
inline int number_in_team_of(int threads) {
  if (const int found = omp_get_num_threads(); found != threads) end_with_other_threads(found, threads);
  return omp_get_thread_num();
}
#endif

/// Starts `asked` threads, or usual_threads(), and returns their number: the
/// `num_threads` of every later region. Throws Error (unavailable) if there are fewer than asked for.
inline int check_threads(std::optional<int> asked) {
  int threads = 1;
#ifdef _OPENMP
  const int wanted = asked.value_or(usual_threads());
  {
    const FirstThreads first;
#pragma omp parallel num_threads(wanted)
#pragma omp single
    threads = omp_get_num_threads();
  }
  if (asked && threads != wanted)
    throw unavailable("--threads: expected {} threads, found that the OpenMP runtime gives {}{}", wanted, threads,
                      set_variables());
#else
  if (asked.value_or(1) != 1)
    throw unavailable("--threads: expected 1 because this program was built without OpenMP, found {}", *asked);
#endif
  return threads;
}

}  // namespace boltzmark
