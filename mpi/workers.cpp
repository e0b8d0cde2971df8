#include "mpi/workers.hpp"

#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>

#include "common/base/error.hpp"
#include "common/base/text.hpp"
#include "common/cpu/processors.hpp"
#include "mpi/neighbours.hpp"

namespace boltzmark::mpi {

int threads_of_rank(std::optional<int> asked) {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  const int threads = asked.value_or(1);
  if (threads > 1 && level < MPI_THREAD_FUNNELED)
    throw unavailable("--threads: expected 1 because this MPI library has no MPI_THREAD_FUNNELED, found {}", threads);
  return check_threads(threads);
}

std::size_t smallest_l2() { return over_ranks(std::uint64_t{core_caches().l2}, MPI_MIN); }

std::size_t smallest_last_level() {
  const Neighbours neighbours;
  const auto ranks = static_cast<std::uint64_t>(neighbours.count());
  return over_ranks(last_level_cache_bytes(neighbours.processors()) / ranks, MPI_MIN);
}

std::string crowding(const Options& options) {
  const int threads = options.number("threads").value_or(1);
  const cpu_set_t own = usable_processors();
  const Neighbours neighbours;
  const cpu_set_t all = neighbours.processors();
  const int workers = static_cast<int>(neighbours.sum_of(static_cast<std::uint64_t>(threads)));
  // The cores in a mask, at most as many as a control group leaves.
  const auto cores = [](const cpu_set_t& mask) {
    return static_cast<int>(std::min(static_cast<std::uint64_t>(CPU_COUNT(&mask)), processors_left_in_groups()));
  };
  // Workers and their cores, on this machine or in this rank, whichever is worse.
  int here[2] = {workers, cores(all)};
  if (threads - cores(own) > here[0] - here[1]) here[0] = threads, here[1] = cores(own);

  struct {
    int excess, rank;
  } mine = {here[0] - here[1], rank_in(MPI_COMM_WORLD)}, worst;
  MPI_Allreduce(&mine, &worst, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
  if (worst.excess <= 0) return "";
  MPI_Bcast(here, 2, MPI_INT, worst.rank, MPI_COMM_WORLD);
  return fmt::format("{} x {} are {} for {}: expect them to wait for one another{}",
                     counted(size_of(MPI_COMM_WORLD), "rank"), counted(threads, "thread"), counted(here[0], "worker"),
                     counted(here[1], "core"),
                     threads > 1 ? " (a launcher that binds each rank to one core? mpirun --bind-to none)" : "");
}

}  // namespace boltzmark::mpi
