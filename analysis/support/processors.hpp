// How many threads or ranks a comparison gives each model.
#pragma once

namespace boltzmark {

/// Physical cores among the processors that this process may use, no more than a container's CPU quota
/// (rounded up) allows; at least 1.
int usable_physical_cores();

}  // namespace boltzmark
