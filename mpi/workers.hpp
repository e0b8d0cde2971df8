// Ranks times threads: what this program's workers may be, and whether the machine has cores for them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace boltzmark::mpi {

/// Threads of each rank: one without a wish, for the launcher has started a rank a core. Throws Error
/// (unavailable) for more than one where the MPI library does not allow threads beside the one that calls it.
int threads_of_rank(std::optional<int> asked);

/// Bytes of second-level cache that a core has for itself, the fewest of all ranks' machines. Every rank
/// calls it, so that all decide alike by it.
std::size_t smallest_l2();

/// A line to warn of more workers than cores on any machine, "" when there are enough. Every rank calls it
/// and gets the same.
std::string crowding(int threads);

}  // namespace boltzmark::mpi
