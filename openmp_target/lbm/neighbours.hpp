// How teams that advance many steps within one region keep pace with each other.
#pragma once

#include <omp.h>

#include <cstdint>

#include "common/lbm/cell.h"

namespace boltzmark::openmp_target {

/// What the teams tell each other, on the device: a number a team, how many steps it has done, and one number
/// behind these that is not 0 once a team gave up waiting. All are 0 before a run.
struct Flags {
  std::int32_t* steps_done;
  std::int32_t watched;   ///< teams that a team waits for: those next to it on both sides, itself included
  std::int32_t patience;  ///< how often it looks before it gives up

  enum : std::int32_t { gave_up = 0x7fffffff };  ///< instead of a number of steps
};

#pragma omp begin declare target
#if defined(__NVPTX__)

KERNEL_FN void publish(std::int32_t* flag, std::int32_t value) {
  asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(flag), "r"(value) : "memory");
}
KERNEL_FN std::int32_t look_at(const std::int32_t* flag) {
  std::int32_t value;
  asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
  return value;
}

/// Called by all threads of a team when it has done `steps`: what they wrote is seen by those that read the
/// number.
KERNEL_FN void announce(const Flags& flags, std::int32_t steps) {
#pragma omp barrier
  if (omp_get_thread_num() == 0) publish(flags.steps_done + omp_get_team_num(), steps);
}

/// Called by all threads of a team: returns true when every team that it watches has done `steps`, false when
/// one of them has given up or is not there for too long. Such a team is one that found no room on the
/// device: it starts only after others have ended, so this one has to end too.
KERNEL_FN bool wait_for_neighbours(const Flags& flags, std::int32_t steps) {
  const int teams = omp_get_num_teams(), team = omp_get_team_num();
  int failed = 0;
  for (int i = omp_get_thread_num(); i < flags.watched; i += omp_get_num_threads()) {
    const std::int32_t* const flag = flags.steps_done + (team + teams - flags.watched / 2 + i) % teams;
    std::int32_t done = look_at(flag);
    for (int tries = 0; done < steps && tries < flags.patience; ++tries) done = look_at(flag);
    failed |= done < steps || done == Flags::gave_up;
  }
  failed = __nvvm_bar0_or(failed);  // the barrier of the team, and whether any of its threads says so
  if (failed && omp_get_thread_num() == 0) {
    publish(flags.steps_done + team, Flags::gave_up);
    publish(flags.steps_done + teams, 1);
  }
  return !failed;
}

#else

// One team only: its threads wait for each other.

KERNEL_FN void announce(const Flags&, std::int32_t) {}
KERNEL_FN bool wait_for_neighbours(const Flags&, std::int32_t) {
#pragma omp barrier
  return true;
}

#endif
#pragma omp end declare target

}  // namespace boltzmark::openmp_target
