// A loop over the rows of a grid on all processors, outside the timed part of a run.
#pragma once

#include <algorithm>
#include <cstdint>

#include "common/cpu/in_parallel.hpp"

namespace boltzmark::lbm {

/// Calls work(y) for all rows of nx cells, blocks of them on all processors: what starts and ends runs.
template <class Work>
void each_row(int nx, int rows, const Work& work) {
  const std::int64_t block = 1 + (1 << 15) / nx;
  each_in_parallel((rows + block - 1) / block, [&](std::int64_t number) {
    for (std::int64_t y = number * block; y < std::min<std::int64_t>(rows, (number + 1) * block); ++y)
      work(static_cast<int>(y));
  });
}

}  // namespace boltzmark::lbm
