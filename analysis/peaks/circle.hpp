// Addresses of dependent loads for the latency of memory, on the processor and on devices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace boltzmark {

/// Unrolled loads in a round of the loop.
inline constexpr int loads_a_round = 16;

/// One circle through all of this many places (at least one), in random order, so that hardware cannot predict the
/// next: for each place its successor. Sattolo's algorithm.
inline std::vector<std::uint32_t> random_circle(std::size_t places) {
  std::vector<std::uint32_t> next(places);
  std::iota(next.begin(), next.end(), 0u);
  std::mt19937_64 random(1);
  for (std::size_t i = places - 1; i > 0; --i) std::swap(next[i], next[random() % i]);
  return next;
}

}  // namespace boltzmark
