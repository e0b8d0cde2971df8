// Sizes of a core's own caches, from which tile depths are chosen.
#pragma once

#include <cstddef>

namespace boltzmark {

/// Bytes of data cache that one core has for itself. Where the machine does not tell: 32 KiB and 1 MiB.
struct CoreCaches {
  std::size_t l1 = std::size_t{32} << 10;
  std::size_t l2 = std::size_t{1} << 20;
};

/// Of the first core that this process may use, by hwloc; looked up once.
const CoreCaches& core_caches();

}  // namespace boltzmark
