// Several time steps in one sweep for models that do not promise to run their workers at the same time, so that none may
// wait for another: tiles of rows that are independent, in two phases. Each step is a level. In the first phase every tile loses a row at either end
// with each level, so that it needs nothing of the others; in the second the rows between two tiles, one more at either
// end with each level, catch up:
//
//     level 3    . . 1 1 . . . . . . 1 1 . .        2 2     2 2 2 2 2 2     2 2
//     level 2    . 1 1 1 1 . . . . 1 1 1 1 .        2         2 2 2 2         2
//     level 1      1 1 1 1 1 1 . 1 1 1 1 1 1                    2
//     level 0    1 1 1 1 1 1 1 1 1 1 1 1 1 1
//                |-- tile 0 --|-- tile 1 --|                rows 0 ..
//
// No row is computed twice. All tiles of a phase may be done at once and in any order. No worker waits for all others:
// a tile continues when its neighbours are far enough, also into the next sweep.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "common/cpu/progress.hpp"
#include "common/cpu/range.hpp"
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
  bool is_ring() const { return is_ring_; }
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

/// As many steps as there are `totals`. run(work) calls work(me) for `me` from 0 to workers - 1, on any number of threads
/// and in any order. For each sweep update(rows, first step, levels, sums) adds to the sums of these steps; the totals
/// are sums over all of them times `factor`.
///
/// A lane is a tile and the gap north of it, which are done in turns, one after the other: item 2s is the tile in sweep
/// s, item 2s+1 the gap. A tile needs the gap south of it of the sweep before, a gap the tile north of it: the item
/// before of a neighbour, no more. A worker updates its own lanes and, if none has been ready for a while, any lane
/// that is ready. So a thread that the system or the library has not started delays no other, and no two need to run at
/// the same time.
template <class Run, class Update>
void run_tiles(const SplitTiling& tiling, int workers, const Run& run, double factor, std::span<double> totals,
               const Update& update) {
  struct alignas(128) Lane {
    std::atomic<int> done{0};
    std::atomic<bool> is_held{false};
  };
  const int steps = static_cast<int>(totals.size()), depth = tiling.depth(), tiles = tiling.tiles();
  const int items = 2 * ((steps + depth - 1) / depth);
  std::vector<Lane> lanes(static_cast<std::size_t>(tiles));
  std::atomic<int> unfinished = tiles;
  WorkerSums sums(tiles);
  std::vector<double*> of_lane;
  for (int lane = 0; lane < tiles; ++lane) of_lane.push_back(sums.start(lane, steps));

  const auto is_ready = [&](int lane, int item) {
    const int needed = item % 2 == 0 ? lane - 1 : lane + 1;
    if (!tiling.is_ring() && (needed < 0 || needed == tiles)) return true;
    return lanes[(needed + tiles) % tiles].done.load(std::memory_order_acquire) >= item;
  };
  const auto do_item = [&](int lane, int item) {
    const int first = item / 2 * depth, levels = std::min(depth, steps - first);
    if (item % 2 == 0)
      update(tiling.tile(lane), first, levels, of_lane[lane] + first);
    else if (levels > 1 && lane < tiling.gaps())
      update(tiling.gap(lane), first, levels, of_lane[lane] + first);
  };
  /// Whether there was anything to do.
  const auto advance = [&](int number) {
    Lane& lane = lanes[number];
    const auto can_go_on = [&] {
      const int item = lane.done.load(std::memory_order_acquire);
      return item < items && is_ready(number, item);
    };
    if (!can_go_on() || lane.is_held.exchange(true, std::memory_order_acquire)) return false;
    while (can_go_on()) {
      const int item = lane.done.load(std::memory_order_relaxed);
      do_item(number, item);
      lane.done.store(item + 1, std::memory_order_release);
      if (item + 1 == items) unfinished.fetch_sub(1, std::memory_order_release);
    }
    lane.is_held.store(false, std::memory_order_release);
    return true;
  };
  const auto is_done = [&] { return unfinished.load(std::memory_order_acquire) == 0; };
  run([&](int me) {
    constexpr int patience = 2000;  // looks, which take longer than a thread does to start
    const Range mine = part_of(tiles, me, workers);
    while (!is_done()) {
      int looks = 0;
      spin_until(
          [&] {
            bool has_moved = false;
            for (auto lane = mine.begin; lane < mine.end; ++lane) has_moved |= advance(static_cast<int>(lane));
            if (++looks > patience)
              for (int lane = 0; lane < tiles; ++lane) has_moved |= advance(lane);
            return has_moved || is_done();
          },
          patience);
    }
  });
  sums.add_up(factor, totals);
}

}  // namespace boltzmark
