// Shared by the variants of this model whose ranks compute with processors: ranks, their threads and memory, facts for
// the record, and the main of a program.
#pragma once

#include <mpi.h>

#include <utility>

#include "common/run/cpu_device.hpp"
#include "common/run/workers.hpp"
#include "mpi/neighbours.hpp"
#include "mpi/team.hpp"
#include "mpi/workers.hpp"

namespace boltzmark::mpi {

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
