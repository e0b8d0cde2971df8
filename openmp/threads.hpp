// The threads that the OpenMP runtime gives.
#pragma once

#include <omp.h>

#include <optional>

#include "common/error.hpp"

namespace boltzmark::openmp {

/// Starts the runtime's threads and returns how many there are: `asked`, or without it what the runtime says
/// (OMP_NUM_THREADS and its kin). Throws Error (unavailable) when it gives fewer than asked for.
inline int start_threads(std::optional<int> asked) {
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
