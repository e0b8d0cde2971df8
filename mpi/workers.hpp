// Ranks times threads: a rank's threads, its machine's caches, and whether the machine has cores for all workers.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "common/cpu/threads.hpp"
#include "common/run/options.hpp"

namespace boltzmark::mpi {

/// Starts the threads of each rank and returns their number: one unless asked for, because the launcher has started one
/// rank per core. Throws Error (unavailable) for more than the system provides, or for more than one if the MPI library
/// does not allow threads that do not call it.
int threads_of_rank(std::optional<int> asked);

/// Calls work(me) on every thread of this rank, `me` from 0, which is the caller and the only thread that may call MPI;
/// returns when all have returned. `work` must not throw.
template <class Work>
void on_threads([[maybe_unused]] int threads, Work&& work) {
#ifdef _OPENMP
#pragma omp parallel num_threads(threads)
  work(number_in_team_of(threads));
#else
  work(0);
#endif
}

/// Bytes of second-level cache of one core, the smallest of all ranks' machines. Collective, so that all ranks decide
/// alike.
std::size_t smallest_l2();

/// Bytes of last-level cache per rank of a machine, the smallest of all machines; 0 if unknown. Collective.
std::size_t smallest_last_level();

/// A warning if any machine has more workers than cores, else "". Collective; every rank gets the same.
std::string crowding(const Options& options);

}  // namespace boltzmark::mpi
