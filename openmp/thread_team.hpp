// The threads of one process that work on one grid together: OpenMP's, where a program is compiled with it,
// or else the only one.
#pragma once

#ifdef _OPENMP
#include <omp.h>
#endif

#include <unistd.h>

#include <cstdlib>
#include <optional>

#include "common/base/error.hpp"

namespace boltzmark::openmp {

class ThreadTeam {
 public:
  /// Starts `asked` threads, or unless asked as many as the runtime says (OMP_NUM_THREADS and the like).
  /// Throws Error (unavailable) when there are not as many as asked for.
  explicit ThreadTeam(std::optional<int> asked) {
#ifdef _OPENMP
    const int wanted = asked.value_or(omp_get_max_threads());
    static const int registered = std::atexit(end_of_start);
    is_starting() = registered == 0;
#pragma omp parallel num_threads(wanted)
#pragma omp single
    size_ = omp_get_num_threads();
    is_starting() = false;
    if (asked && size_ != wanted)
      throw unavailable(
          "--threads: expected {} threads, found that the OpenMP runtime gives {} (OMP_THREAD_LIMIT?)",
          wanted, size_);
#else
    if (asked.value_or(1) != 1)
      throw unavailable("--threads: expected 1, for this program was built without OpenMP, found {}", *asked);
#endif
  }

  int size() const { return size_; }

  /// Calls work(me) on every thread at once, `me` from 0 (the caller) to size()-1; returns when all have
  /// returned. `work` must not throw.
  template <class Work>
  void run(Work&& work) const {
#ifdef _OPENMP
#pragma omp parallel num_threads(size_)
    work(omp_get_thread_num());
#else
    work(0);
#endif
  }

 private:
#ifdef _OPENMP
  static bool& is_starting() {
    static bool starting = false;
    return starting;
  }
  /// GCC's runtime says in a line that the system has no room for so many threads and ends the process with status 1,
  /// which is that of a wrong result.
  static void end_of_start() {
    if (is_starting()) _exit(static_cast<int>(ExitStatus::unavailable));
  }
#endif

  int size_ = 1;
};

}  // namespace boltzmark::openmp
