// Parallel loops of references and checks, which are never timed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <vector>

#include "common/cpu/range.hpp"

namespace boltzmark {

/// Lets the calling thread run on all processors that the process may use: a new one is bound like its creator, perhaps
/// by a model to one of them.
void unbind_thread();

/// Calls work(0) to work(count - 1) in any order on all processors that the process may use. `work` throws
/// nothing.
void each_in_parallel(std::int64_t count, const std::function<void(std::int64_t)>& work);

/// The same for blocks of this many numbers, of 0 to count - 1; returns the results of work(range) in order.
template <class Work>
auto blocks_in_parallel(std::int64_t count, std::int64_t block, const Work& work) {
  std::vector<std::invoke_result_t<Work, Range>> results(static_cast<std::size_t>((count + block - 1) / block));
  each_in_parallel(static_cast<std::int64_t>(results.size()), [&](std::int64_t number) {
    results[static_cast<std::size_t>(number)] = work(Range{number * block, std::min(count, (number + 1) * block)});
  });
  return results;
}

}  // namespace boltzmark
