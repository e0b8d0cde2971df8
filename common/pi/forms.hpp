// The forms in which pi is computed.
#pragma once

#include <cstdint>

namespace boltzmark::pi {

struct Form {
  enum : int { two_divisions, one_division, array, host_sum, points };
};

/// Terms that are in memory at a time, where they are stored.
inline constexpr std::int64_t most_stored = std::int64_t{1} << 26;

}  // namespace boltzmark::pi
