// How many threads or ranks a comparison gives each model.
#pragma once

namespace boltzmark {

/// Threads or ranks where the user names none: OMP_NUM_THREADS, else a core each.
int default_workers();

}  // namespace boltzmark
