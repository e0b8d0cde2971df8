// Cores and caches as hwloc reports them, as far as this process may use them.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/roofline/peaks.hpp"

namespace boltzmark {

struct Topology {
  /// One hardware thread of every usable physical core, by the system's number: as many as
  /// usable_physical_cores() says.
  std::vector<int> processors;
  int sockets = 1, cores_of_socket = 1;  ///< packages behind these, and how many of these the first one has
  std::int64_t memory_bytes = 0;         ///< of the machine
  std::vector<CacheLevel> caches;        ///< data and unified ones that these cores reach, from level 1 on
};

/// A level that reports no size (some virtual machines) is left out; one whose instances differ counts with
/// its smallest. Throws Error (unavailable) when hwloc cannot tell.
Topology read_topology();

}  // namespace boltzmark
