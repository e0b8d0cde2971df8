// How teams that advance many steps within one region keep pace with their neighbours.
#pragma once

#include <omp.h>

#include <cstdint>

#include "common/base/real.h"

namespace boltzmark::openmp_target {

/// What the teams tell one another, on the device. `steps_done` has one word per team, how many steps it has
/// done, and one word more that is not 0 once a team timed out. All are 0 before a run.
struct TeamProgress {
  std::int32_t* steps_done;
  std::int32_t neighbours;  ///< teams that a team waits for: those next to it on both sides, itself included
  std::int32_t max_spins;   ///< how often it reads a word before it gives up

  enum : std::int32_t { timed_out = 0x7fffffff };  ///< in place of a number of steps
};

#pragma omp begin declare target
#if defined(__NVPTX__)

KERNEL_FN void store_release(std::int32_t* word, std::int32_t value) {
  asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(word), "r"(value) : "memory");
}
KERNEL_FN std::int32_t load_acquire(const std::int32_t* word) {
  std::int32_t value;
  asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
  return value;
}

/// Called by all threads of a team when it has done `steps`: what they wrote is visible to those that read
/// the number.
KERNEL_FN void publish_step(const TeamProgress& progress, std::int32_t steps) {
#pragma omp barrier
  if (omp_get_thread_num() == 0) store_release(progress.steps_done + omp_get_team_num(), steps);
}

/// Called by all threads of a team: returns true when every neighbour has done `steps`, false when one of
/// them has timed out or does not get there. A team that never gets there found no room on the device: it
/// starts only after others have ended, so this one has to end too.
KERNEL_FN bool wait_for_neighbours(const TeamProgress& progress, std::int32_t steps) {
  const int teams = omp_get_num_teams(), team = omp_get_team_num();
  int failed = 0;
  for (int i = omp_get_thread_num(); i < progress.neighbours; i += omp_get_num_threads()) {
    const std::int32_t* const word =
        progress.steps_done + (team + teams - progress.neighbours / 2 + i) % teams;
    std::int32_t done = load_acquire(word);
    for (int spins = 0; done < steps && spins < progress.max_spins; ++spins) done = load_acquire(word);
    failed |= done < steps || done == TeamProgress::timed_out;
  }
  failed = __nvvm_bar0_or(failed);  // the barrier of the team, and whether any of its threads failed
  if (failed && omp_get_thread_num() == 0) {
    store_release(progress.steps_done + team, TeamProgress::timed_out);
    store_release(progress.steps_done + teams, 1);
  }
  return !failed;
}

#else

// One team only: its threads wait for each other.

KERNEL_FN void publish_step(const TeamProgress&, std::int32_t) {}
KERNEL_FN bool wait_for_neighbours(const TeamProgress&, std::int32_t) {
#pragma omp barrier
  return true;
}

#endif
#pragma omp end declare target

}  // namespace boltzmark::openmp_target
