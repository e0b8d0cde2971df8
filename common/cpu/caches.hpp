// Sizes of caches: a core's own, from which tile depths are chosen, and the last ones in front of memory.
#pragma once

#include <sched.h>

#include <cstddef>
#include <cstdint>

namespace boltzmark {

/// Bytes of data cache that one core has for itself. Defaults if the system does not report them.
struct CoreCaches {
  std::size_t l1 = std::size_t{32} << 10;
  std::size_t l2 = std::size_t{1} << 20;
};

/// The smallest among the cores that this process may use, by hwloc; looked up once.
const CoreCaches& core_caches();

/// Bytes of the last-level caches behind these processors, each cache once; 0 if the system does not report them.
std::uint64_t last_level_cache_bytes(const cpu_set_t& processors);

}  // namespace boltzmark
