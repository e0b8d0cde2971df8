// Results of blocks of numbers, in parallel loops of references and checks, which are never timed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "common/cpu/in_parallel.hpp"
#include "common/cpu/range.hpp"

namespace boltzmark {

/// Calls work(range) for blocks of this many numbers, of 0 to count - 1, on all processors that the process may use;
/// returns the results in order.
template <class Work>
auto blocks_in_parallel(std::int64_t count, std::int64_t block, const Work& work) {
  std::vector<std::invoke_result_t<Work, Range>> results(static_cast<std::size_t>((count + block - 1) / block));
  each_in_parallel(static_cast<std::int64_t>(results.size()), [&](std::int64_t number) {
    results[static_cast<std::size_t>(number)] = work(Range{number * block, std::min(count, (number + 1) * block)});
  });
  return results;
}

}  // namespace boltzmark
