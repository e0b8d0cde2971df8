// Ranks that compute with processors: threads, caches and memory, facts for the record, and the main of a program.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "common/cpu/openmp.hpp"
#include "common/run/cpu_device.hpp"
#include "common/run/options.hpp"
#include "common/run/workers.hpp"
#include "mpi/neighbours.hpp"
#include "mpi/team.hpp"

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

/// The threads of a rank, one by default; the ranks share the data.
inline Workers start_workers(const Options& asked) {
  Workers workers;
  workers.count = workers.facts.threads = threads_of_rank(asked.number("threads"));
  workers.run = [threads = workers.count](const Workers::Work& work) { on_threads(threads, work); };
  workers.rank = rank_in(MPI_COMM_WORLD);
  workers.ranks = workers.facts.ranks = size_of(MPI_COMM_WORLD);
  workers.shortage = [ranks = workers.ranks](double bytes) {
    return shortage_of_ranks(static_cast<std::uint64_t>(bytes / ranks));
  };
  workers.facts.driver = library_version();
  return workers;
}

/// A program of such ranks, as cpu_program().
inline Program cpu_ranks(const WorkloadEntry& workload, Variants variants, const char* usual = nullptr,
                         std::vector<ModelOption> options = {}) {
  Program program = cpu_program(workload, "mpi", on_ranks, std::move(variants), usual, std::move(options));
  program.warning = crowding;
  return program;
}

/// Its main.
inline int run_on_cpu_ranks(int argc, char** argv, const WorkloadEntry& workload, Variants variants,
                            const char* usual = nullptr) {
  const Program program = cpu_ranks(workload, std::move(variants), usual);
  return run_on_ranks(argc, argv,
                      [&](int words, char** line, Team& team) { return run_program(words, line, program, team); });
}

}  // namespace boltzmark::mpi
