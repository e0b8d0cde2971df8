// The forms in which pi is computed.
#pragma once

#include <cstdint>

namespace boltzmark::pi {

struct Form {
  enum : int { two_divisions, one_division, array, host_sum, points };
};

/// Terms that are in memory at a time, where they are stored.
inline constexpr std::int64_t most_stored = std::int64_t{1} << 26;
/// How many of points `first` to `end - 1` of `all` lie in the quarter of a circle (oracle.cpp).
std::int64_t points_inside(std::int64_t first, std::int64_t end, std::int64_t all, std::uint32_t seed);

}  // namespace boltzmark::pi
