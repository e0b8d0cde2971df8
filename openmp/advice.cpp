#include "openmp/advice.hpp"

#include <fmt/core.h>
#include <omp.h>

#include <algorithm>

namespace boltzmark::openmp {

std::string thread_advice(std::optional<int> asked) {
  const int threads = std::min(asked.value_or(omp_get_max_threads()), omp_get_thread_limit());
  // The runtime remembers what it found before it bound the first thread; an affinity mask would show one
  // processor.
  const int processors = omp_get_num_procs();
  if (threads > processors)
    return fmt::format(
        "{} threads on {} processor{} wait for one another; --threads {} or OMP_NUM_THREADS={} takes all "
        "there are",
        threads, processors, processors == 1 ? "" : "s", processors, processors);
  if (threads > 1 && omp_get_proc_bind() == omp_proc_bind_false)
    return fmt::format(
        "{} threads are not bound, and one that the system moves leaves its rows behind in a cache or "
        "memory; set OMP_PROC_BIND=close OMP_PLACES=cores",
        threads);
  return {};
}

}  // namespace boltzmark::openmp
