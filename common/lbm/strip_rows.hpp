// Division of a grid for warps that march up strips of its columns, several steps at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace boltzmark::lbm {

/// Rows of a strip per warp: at most 256, because sums of more speeds are too inaccurate in single precision, and at
/// least the rows that it does in addition at both ends, `depth` at each. Within these limits, the number for which a
/// device that runs `resident` warps at a time has the fewest rows to do in turn.
inline int rows_of_warp(int strips, int rows, int depth, int resident) {
  const auto pieces = [](int all, int of) { return (all + of - 1) / of; };
  int best = rows;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (int chunks = 1; chunks <= rows; ++chunks) {
    const int own = pieces(rows, chunks);
    const std::int64_t warps = std::int64_t{strips} * pieces(rows, own);
    const std::int64_t in_turn = (warps + resident - 1) / resident * (own + 2 * depth);
    if (own < 2 * depth && chunks > 1) break;
    if (own <= 256 && in_turn < least) least = in_turn, best = own;
  }
  return best;
}

}  // namespace boltzmark::lbm
