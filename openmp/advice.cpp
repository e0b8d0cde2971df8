#include "openmp/advice.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cstdio>

namespace boltzmark::openmp {

void settle_threads(std::optional<int> asked, bool quiet) {
  omp_set_dynamic(0);
  static bool is_said = false;
  if (is_said || quiet) return;
  is_said = true;
  const int threads = std::min(asked.value_or(omp_get_max_threads()), omp_get_thread_limit());
  // The runtime remembers what it found before it bound the first thread; an affinity mask would show one
  // processor.
  const std::string advice =
      thread_advice(threads, omp_get_num_procs(), omp_get_proc_bind() != omp_proc_bind_false);
  if (!advice.empty()) fmt::print(stderr, "lbm-openmp: warning: {}\n", advice);
}

std::string thread_advice(int threads, int processors, bool bound) {
  if (threads > processors)
    return fmt::format(
        "{} threads on {} processor{} wait for one another; --threads {} or OMP_NUM_THREADS={} takes all "
        "there are",
        threads, processors, processors == 1 ? "" : "s", processors, processors);
  if (threads > 1 && !bound)
    return fmt::format(
        "{} threads are not bound, and one that the system moves leaves its rows behind in a cache or "
        "memory; set OMP_PROC_BIND=close OMP_PLACES=cores",
        threads);
  return {};
}

}  // namespace boltzmark::openmp
