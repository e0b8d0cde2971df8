// Ranks times threads: what this program's workers may be, and whether the machine has cores for them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace boltzmark::mpi {

/// Threads of each rank: one unless asked for, because the launcher has started one rank per core. Throws Error
/// (unavailable) for more than one where the MPI library does not allow threads beside the one that calls it.
int threads_of_rank(std::optional<int> asked);

/// Bytes of second-level cache that a core has for itself, the fewest of all ranks' machines. Collective, so that
/// all ranks decide alike by it.
std::size_t smallest_l2();

/// Bytes of last-level cache for each rank of a machine, the fewest of all machines; 0 when a system does not tell.
/// Collective.
std::size_t smallest_last_level();

/// A line to warn of more workers than cores on any machine, "" when there are enough. Collective; every rank
/// gets the same.
std::string crowding(int threads);

}  // namespace boltzmark::mpi
