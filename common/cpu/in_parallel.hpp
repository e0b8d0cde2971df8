// Parallel loops of references and checks, which are never timed.
#pragma once

#include <cstdint>
#include <functional>

namespace boltzmark {

/// Lets the calling thread run on all processors that the process may use: a new one is bound like its creator, perhaps
/// by a model to one of them.
void unbind_thread();

/// Calls work(0) to work(count - 1) in any order on all processors that the process may use. `work` throws
/// nothing.
void each_in_parallel(std::int64_t count, const std::function<void(std::int64_t)>& work);

}  // namespace boltzmark
