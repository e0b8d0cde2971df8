// How many workers a short loop is worth, in a library that takes long to start each of them.
#pragma once

#include <algorithm>
#include <cmath>

#include "common/base/clock.hpp"

namespace boltzmark {

/// Number of workers, at most `most`, that finish soonest if all read equal parts of `bytes` in caches. Each adds the
/// same time to the start of a loop, and the more there are, the less each has to read:
///
///     n * start + bytes / (n * rate), least for n = sqrt(bytes / rate / start)
///
/// `start`: of a loop of `most` workers without work, start_all(), by their number. The shortest of several counts: the
/// first one wakes them.
template <class StartAll>
int worth_starting(int most, double bytes, const StartAll& start_all) {
  constexpr double bytes_per_second = 3e10;  // of a core that reads the values of a sum from its second-level cache
  constexpr int attempts = 20;
  double shortest = 1.0;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const auto from = Clock::now();
    start_all();
    shortest = std::min(shortest, seconds_since(from));
  }
  const double workers = std::sqrt(bytes / bytes_per_second * most / std::max(1e-9, shortest));
  return static_cast<int>(std::clamp(std::round(workers), 1.0, static_cast<double>(most)));
}

}  // namespace boltzmark
