// How many threads or ranks a comparison gives each model.
#pragma once

namespace boltzmark {

/// Physical cores among the processors that this process may use, no more than a container's CPU quota
/// (rounded up) allows; at least 1.
int usable_physical_cores();

/// Threads or ranks where the user names none: OMP_NUM_THREADS, else a core each.
int default_workers();

}  // namespace boltzmark
