// Settings of OpenMP's runtime (GCC's or LLVM's) in the environment, and the message if threads cannot start.
#pragma once

#ifdef _OPENMP
#include <omp.h>
#endif

#include <optional>
#include <string>

#include "common/base/error.hpp"

namespace boltzmark {

/// More threads than this overflow the stack of GCC's runtime, somewhere beyond 32000.
inline constexpr int most_threads = 16384;

/// Threads of the first parallel region by OMP_NUM_THREADS, "4" or "4,2" for nested regions; 0 if it is not set. A
/// program linked with this function removes an invalid list, or an invalid stack size, from the environment before any
/// runtime reads it, with a line on standard error.
int told_threads();

/// Number of threads if no option states it: the runtime's own choice, which without OMP_NUM_THREADS a control group
/// may reduce.
int default_threads(int of_runtime);

/// " (OMP_NUM_THREADS=4, OMP_THREAD_LIMIT=1)": the runtimes' variables that are set; "" if none is.
std::string set_variables();

/// Exists while threads are started for the first time. A runtime without room for them, or with a variable that it
/// rejects, ends the process: GCC's by exit(1), the status of a wrong result, LLVM's by abort(). Both are turned into a
/// line and `unavailable`.
class FirstThreads {
 public:
  FirstThreads();
  ~FirstThreads();
  FirstThreads(const FirstThreads&) = delete;
  FirstThreads& operator=(const FirstThreads&) = delete;
};

/// For a region with fewer threads than its work was divided for: ends the process with a line and `unavailable`, since
/// nothing can be thrown out of a region.
[[noreturn]] void end_with_other_threads(int found, int expected);

// The number of threads in each parallel region of a process: OpenMP's if a program is compiled with it, else 1.

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
