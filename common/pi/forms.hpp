// The forms in which pi is computed.
#pragma once

#include <cstdint>

namespace boltzmark::pi {

struct Form {
  enum : int { two_divisions, one_division, array, host_sum, points };
};

/// Terms in memory at a time, if they are stored.
inline constexpr std::int64_t most_stored = std::int64_t{1} << 26;
/// Number of points in the quarter of a circle, among points `first` to `end - 1` of `all` (oracle.cpp).
std::int64_t points_inside(std::int64_t first, std::int64_t end, std::int64_t all, std::uint32_t seed);

}  // namespace boltzmark::pi
