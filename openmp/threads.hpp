// The threads that a run gets.
#pragma once

#include <omp.h>

#include <optional>

#include "common/error.hpp"

namespace boltzmark::openmp {

/// Threads that a parallel region of so many (unset: as many as the runtime wants, see OMP_NUM_THREADS)
/// really gets. Throws Error (unavailable) when they are others than asked for.
inline int threads_given(std::optional<int> asked) {
  const int wanted = asked.value_or(omp_get_max_threads());
  int given = 0;
#pragma omp parallel num_threads(wanted)
#pragma omp single
  given = omp_get_num_threads();
  if (asked && given != wanted)
    throw unavailable(
        "--threads: expected {} threads, found that the OpenMP runtime gives {} (OMP_THREAD_LIMIT?)", wanted,
        given);
  return given;
}

}  // namespace boltzmark::openmp
