#include "analysis/peaks/cpu/clock.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "common/base/clock.hpp"

namespace boltzmark {
namespace {

/// The empty statement makes the compiler forget what it knows of the sum, or it would add up at once. Both
/// are in registers: some processors add a small constant in no time while they rename registers.
template <std::size_t... I>
inline __attribute__((always_inline)) void add_in_turn(std::uint64_t& sum, std::uint64_t step,
                                                       std::index_sequence<I...>) {
  const auto add = [&](std::size_t) {
    sum += step;
    asm volatile("" : "+r"(sum));
  };
  (add(I), ...);
}

}  // namespace

double measure_clock_hz() {
  constexpr int stretches = 8, additions_a_round = 64, rounds = 1000;
  std::uint64_t sum = 1, step = 3;
  asm volatile("" : "+r"(sum), "+r"(step));
  double fastest = 1.0;
  for (int stretch = 0; stretch < stretches; ++stretch) {
    const auto start = Clock::now();
    for (int round = 0; round < rounds; ++round) add_in_turn(sum, step, std::make_index_sequence<additions_a_round>());
    fastest = std::min(fastest, seconds_since(start));
  }
  return additions_a_round * rounds / fastest;
}

}  // namespace boltzmark
