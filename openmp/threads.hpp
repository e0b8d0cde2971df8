// What the programs of this model say of their threads: advice before a run, the runtime's name after it.
#pragma once

#include <fmt/core.h>
#include <omp.h>

#include <algorithm>
#include <string>

#include "common/cpu/threads.hpp"
#include "common/run/program.hpp"
#include "common/run/provenance.hpp"

namespace boltzmark::openmp {

/// One line on what slows these threads down: more of them than processors, or none of them bound to one. "" if nothing
/// does. OMP_* is left as the user has it.
inline std::string thread_advice(const Options& options) {
  const int threads = std::min(options.number("threads").value_or(omp_get_max_threads()), omp_get_thread_limit());
  // Counted by the runtime before it bound the first thread; an affinity mask would show one processor.
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

inline std::string runtime_name() { return fmt::format("OpenMP {}", _OPENMP); }

}  // namespace boltzmark::openmp
