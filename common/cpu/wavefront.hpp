// The order in which rows are updated when several time steps are done in one sweep over the rows.
//
// Each worker (a thread; or the only one) owns a block of rows. `depth` steps are done in waves: wave q does
// row q of step 0, row q-1 of step 1, row q-2 of step 2 and so on, so that a row is used again while it is
// still in cache. For a block of four rows and a depth of three, the number is the wave that does a row:
//
//               step 0   step 1   step 2
//      row 5       .        .        7
//      row 4       .        5        6
//      row 3       3        4        5
//      row 2       2        3        4
//      row 1       1        2        .
//      row 0       0        .        .
//
// A row needs its neighbours' previous step, so the rows of each step begin one row further north. Rows 4 and 5 belong
// to the northern neighbour, which does them in steps 0 and 1 as its own first rows, long before they are needed here;
// the southern neighbour does the rest of rows 0 and 1. No row is recomputed, and a step's sum of speeds is exact.
// There is no barrier: a worker waits only for its two neighbours, by the number of waves that they have done. No
// deadlock: every worker does its rows in the order of their waves, and what a row needs belongs to an earlier wave or,
// in the same one, to an earlier step.
#pragma once

#include <algorithm>
#include <cstdint>

#include "common/cpu/processors.hpp"
#include "common/cpu/progress.hpp"

namespace boltzmark {

/// The rows of a periodic grid, divided over workers in contiguous blocks, and the depth of their wavefront.
class WavefrontPlan {
 public:
  /// At most `workers` blocks, as equal as can be. A block has at least as many rows as the wavefront is
  /// deep, or its neighbours' neighbours would have to be waited for: the depth is reduced to that.
  WavefrontPlan(int rows, int workers, int depth)
      : rows_(rows), workers_(std::min(workers, rows)), depth_(std::min(depth, rows / workers_)) {}

  int rows() const { return rows_; }
  int workers() const { return workers_; }
  int depth() const { return depth_; }
  /// First row of a worker's block; begin(workers()) is the number of rows.
  int begin(int worker) const { return static_cast<int>(std::int64_t{rows_} * worker / workers_); }
  int height(int worker) const { return begin(worker + 1) - begin(worker); }

 private:
  int rows_, workers_, depth_;
};

/// The depth that keeps the rows in progress of a core in its second-level cache, with room for streamed data.
inline int default_time_block(std::size_t row_bytes) {
  const std::size_t rows = core_caches().l2 / 4 * 3 / row_bytes;
  return static_cast<int>(std::clamp<std::size_t>(rows, 3, 18)) - 2;
}

/// For sweeps without a limit other than their own rows.
inline constexpr int no_limit = 1 << 30;

/// The rows of one wave of a sweep over this many rows: update(row, level) for its levels, each one row behind the
/// level before it.
template <class Update>
void do_wave(int wave, int rows, int levels, Update&& update) {
  const int lowest = wave < rows ? 0 : (wave - rows) / 2 + 1, highest = std::min(levels - 1, wave / 2);
  for (int level = lowest; level <= highest; ++level) update(wave - level, level);
}

/// Several steps in one sweep over rows from south to north: step s of them (its level) does rows begin+s ..
/// end+s-1, a parallelogram that leans north, but none from row limit-s on: beyond `limit` no worker
/// does rows first. update(y, level): each level follows the one before it by a row.
template <class Update>
void sweep_north(int begin, int end, int limit, int levels, Update&& update) {
  const int rows = end - begin, waves = std::min(rows + 2 * (levels - 1), limit - begin);
  for (int wave = 0; wave < waves; ++wave)
    do_wave(wave, rows, levels, [&](int row, int level) { update(begin + row, level); });
}

/// Its mirror image, from north to south, without a limit: level s does rows begin-s .. end-s-1.
template <class Update>
void sweep_south(int begin, int end, int levels, Update&& update) {
  sweep_north(-end, -begin, no_limit, levels, [&](int mirrored, int level) { update(-1 - mirrored, level); });
}

/// Worker `me`'s part of `steps` time steps on a periodic grid. `update(y, step)` does row y, 0 .. rows-1. done: the
/// waves that each of plan.workers() workers has done, all zero at first; every worker must be running.
template <class Update>
void run_wavefront(const WavefrontPlan& plan, int me, int steps, Progress* done, Update&& update) {
  const int workers = plan.workers(), depth = plan.depth(), rows = plan.rows();
  const int south = (me + workers - 1) % workers, north = (me + 1) % workers;
  const int begin = plan.begin(me), height = plan.height(me), southern = plan.height(south);
  const std::int64_t sweep_waves = std::int64_t{rows} + 2 * depth;  // more than a sweep has
  std::int64_t before = 0;                                          // waves counted before this sweep
  for (int first = 0; first < steps; first += depth, before += sweep_waves) {
    const int levels = std::min(depth, steps - first);
    for (int wave = 0; wave < height + 2 * (levels - 1); ++wave) {
      if (workers > 1) {
        // Rows that the neighbours did last in the previous sweep, and rows that the northern one does first in this
        // sweep.
        if (first > 0 && wave < depth)
          done[south].wait_for(before - sweep_waves + southern + std::min(wave + depth + 1, 2 * (depth - 1)));
        if (first > 0 && depth == 1 && wave == height - 1) done[north].wait_for(before - sweep_waves + 1);
        if (wave >= height) done[north].wait_for(before + wave - height + 1);
      }
      do_wave(wave, height, levels, [&](int row, int level) {
        const int y = begin + row;
        update(y < rows ? y : y - rows, first + level);
      });
      if (workers > 1) done[me].reach(before + wave + 1);
    }
  }
}

}  // namespace boltzmark
