// How a grid is cut for warps that march up strips of its columns, several steps at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace boltzmark::lbm {

/// Rows that a warp has of a strip: at most 256, for sums of more speeds are too wrong in single precision, and no
/// fewer than it does more at both ends of them, `depth` at each. Of what is left, so that a device that runs
/// `resident` warps at a time has the fewest rows to do in turn.
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
