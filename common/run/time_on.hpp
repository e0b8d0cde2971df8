// The time of all ranks; separate from team.hpp, because <chrono> adds half a second to every source of every model.
#pragma once

#include <utility>

#include "common/base/clock.hpp"
#include "common/run/team.hpp"

namespace boltzmark {

/// Seconds of work that all ranks begin together, until the slowest has done it. Collective.
template <class Work>
double time_on(Team& team, Work&& work) {
  team.barrier();
  const auto start = Clock::now();
  std::forward<Work>(work)();
  return team.largest(seconds_since(start));
}

}  // namespace boltzmark
