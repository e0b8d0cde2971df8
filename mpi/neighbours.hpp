// The ranks on this rank's machine, which share its caches, its memory and its cores.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "common/cpu/memory.hpp"
#include "common/cpu/processors.hpp"
#include "mpi/team.hpp"
#include "mpi/types.hpp"

namespace boltzmark::mpi {

/// All members are collective.
class Neighbours {
 public:
  Neighbours() {
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_in(MPI_COMM_WORLD), MPI_INFO_NULL, &ranks_);
  }
  Neighbours(const Neighbours&) = delete;
  Neighbours& operator=(const Neighbours&) = delete;
  ~Neighbours() { MPI_Comm_free(&ranks_); }

  int rank() const { return rank_in(ranks_); }
  int count() const { return size_of(ranks_); }
  bool is_first() const { return rank() == 0; }
  /// Whether no rank before this one has the same text; 63 characters are compared.
  bool is_first_with(const std::string& mine) const {
    std::array<char, 64> own{};
    mine.copy(own.data(), own.size() - 1);
    std::vector<std::array<char, 64>> all(static_cast<std::size_t>(count()));
    MPI_Allgather(own.data(), sizeof own, MPI_CHAR, all.data(), sizeof own, MPI_CHAR, ranks_);
    return std::find(all.begin(), all.end(), own) == all.begin() + rank();
  }
  std::uint64_t sum_of(std::uint64_t mine) const { return over_ranks(mine, MPI_SUM, ranks_); }
  /// The processors that any of them may use, because a launcher may have bound each rank separately.
  cpu_set_t processors() const {
    const cpu_set_t mine = usable_processors();
    cpu_set_t all;
    MPI_Allreduce(&mine, &all, sizeof mine, MPI_BYTE, MPI_BOR, ranks_);
    return all;
  }

 private:
  MPI_Comm ranks_ = MPI_COMM_NULL;
};

/// Machines that the ranks are on. Collective.
inline int hosts_of_ranks() { return over_ranks(Neighbours().is_first() ? 1 : 0, MPI_SUM); }

/// The words of the first rank that has any, on every rank. Collective.
inline std::string words_of_first(std::string words) {
  const int first = MpiTeam().first_that(!words.empty());
  if (first < 0) return "";
  auto length = static_cast<int>(words.size());
  MPI_Bcast(&length, 1, MPI_INT, first, MPI_COMM_WORLD);
  words.resize(static_cast<std::size_t>(length));
  MPI_Bcast(words.data(), length, MPI_CHAR, first, MPI_COMM_WORLD);
  return words;
}

/// memory_shortage() if every rank takes `mine` bytes: the words of the first rank whose machine has too little for all
/// the ranks on it, on every rank. Collective.
inline std::string shortage_of_ranks(std::uint64_t mine) {
  return words_of_first(memory_shortage(Neighbours().sum_of(mine)));
}

}  // namespace boltzmark::mpi
