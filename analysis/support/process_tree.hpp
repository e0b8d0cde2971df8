// All that a process has started, and what it started in turn.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace boltzmark {

/// Every process below this one, in no particular order; ends of which nobody has taken note are among them.
std::vector<pid_t> descendants_of(pid_t root);

/// Of these, how many still run and what memory they have in use; what several share counts for each.
struct TreeUse {
  int running = 0;
  std::uint64_t bytes = 0;
};
TreeUse use_of(const std::vector<pid_t>& processes);

/// Ends everything below this process, which must be the reaper of its orphans (PR_SET_CHILD_SUBREAPER): stops
/// them first, so that none starts another meanwhile. Returns when there are none, at the latest after ten seconds.
void end_descendants();

}  // namespace boltzmark
