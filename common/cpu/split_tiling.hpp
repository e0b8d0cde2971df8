// Several time steps in one sweep for models whose workers cannot wait for one another while they run: tiles of rows
// that are independent, in two phases. Each step is a level. In the first phase every tile loses a row at either end
// with each level, so that it needs no other tile; in the second the rows between two tiles, one more at either end
// with each level, catch up:
//
//     level 3    . . 1 1 . . . . . . 1 1 . .        2 2     2 2 2 2 2 2     2 2
//     level 2    . 1 1 1 1 . . . . 1 1 1 1 .        2         2 2 2 2         2
//     level 1      1 1 1 1 1 1 . 1 1 1 1 1 1                    2
//     level 0    1 1 1 1 1 1 1 1 1 1 1 1 1 1
//                |-- tile 0 --|-- tile 1 --|                rows 0 ..
//
// No row is computed twice. All tiles of a phase may be done at the same time and in any order; a barrier separates the
// phases.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "common/cpu/worker_sums.hpp"

namespace boltzmark {

/// The rows of each level of a tile: both ends move by this many rows with every level.
struct TileRows {
  int first, end;  ///< of level 0
  int first_lean = 0, end_lean = 0;

  int first_at(int level) const { return first + level * first_lean; }
  int end_at(int level) const { return end + level * end_lean; }
};

/// The rows of a tile in waves, every level one row behind the level before it: visit(first row, end, level) for at
/// most `at_once` rows.
template <int at_once, class Visit>
void for_all_waves(TileRows rows, int levels, Visit&& visit) {
  for (int row_0 = rows.first; row_0 < rows.end_at(levels - 1) + levels - 1; row_0 += at_once)
    for (int level = 0; level < levels; ++level) {
      const int row = row_0 - level;
      const int first = std::max(row, rows.first_at(level)), end = std::min(row + at_once, rows.end_at(level));
      if (first < end) visit(first, end, level);
    }
}

class SplitTiling {
 public:
  /// For `rows` rows, as a ring or with fixed rows beyond both ends, and this many workers. A tile has at least twice
  /// as many rows as the sweep has levels; with too few rows the sweep has fewer levels.
  SplitTiling(int rows, bool is_ring, int workers, int depth)
      : rows_(rows),
        is_ring_(is_ring),
        tiles_(std::clamp(rows / (2 * depth), std::min(workers, rows), 2 * workers) / workers * workers),
        depth_(depth) {
    tiles_ = std::clamp(tiles_, 1, rows);
    if (tiles_ > 1 || is_ring) depth_ = std::clamp(rows / tiles_ / 2, 1, depth);
  }

  int rows() const { return rows_; }
  int depth() const { return depth_; }
  /// Rows of the first phase, and of the second.
  int tiles() const { return tiles_; }
  int gaps() const { return is_ring_ ? tiles_ : tiles_ - 1; }

  TileRows tile(int number) const {
    const bool has_south = is_ring_ || number > 0, has_north = is_ring_ || number < tiles_ - 1;
    return {begin(number), begin(number + 1), has_south ? 1 : 0, has_north ? -1 : 0};
  }
  /// The gap north of tile `number`; in a ring the last gap continues past the end.
  TileRows gap(int number) const { return {begin(number + 1), begin(number + 1), -1, 1}; }
  /// The share of rows to which a sweep returns long after, those of a gap that are first in their tile, and the share
  /// of all that it does in between: at least half, because a worker has at most two tiles.
  double share_again() const { return static_cast<double>(gaps()) * (depth_ - 1) / rows_; }
  static constexpr double share_between = 0.5;

 private:
  int begin(int tile) const { return static_cast<int>(std::int64_t{rows_} * tile / tiles_); }

  int rows_;
  bool is_ring_;
  int tiles_, depth_;
};

/// As many steps as there are `totals`. sweep(tiles, do_tile, gaps, do_gap) calls do_tile(number) for all tiles, then
/// do_gap(number) for all gaps, each set in parallel and in any order. For each update(rows, first step, levels, sums)
/// adds to the sums of these steps; the totals are sums over all of them times `factor`.
template <class Sweep, class Update>
void run_tiles(const SplitTiling& tiling, double factor, std::span<double> totals, const Sweep& sweep,
               const Update& update) {
  const int steps = static_cast<int>(totals.size());
  WorkerSums sums(tiling.tiles());
  std::vector<double*> of_tile;
  for (int tile = 0; tile < tiling.tiles(); ++tile) of_tile.push_back(sums.start(tile, steps));
  for (int first = 0; first < steps; first += tiling.depth()) {
    const int levels = std::min(tiling.depth(), steps - first);
    const auto do_rows = [&](TileRows rows, std::int64_t tile) {
      update(rows, first, levels, of_tile[static_cast<std::size_t>(tile)] + first);
    };
    sweep(
        tiling.tiles(), [&](std::int64_t tile) { do_rows(tiling.tile(static_cast<int>(tile)), tile); },
        levels == 1 ? 0 : tiling.gaps(), [&](std::int64_t tile) { do_rows(tiling.gap(static_cast<int>(tile)), tile); });
  }
  sums.add_up(factor, totals);
}

}  // namespace boltzmark
