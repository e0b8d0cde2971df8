// The order in which rows are updated when several time steps are done in one sweep over the rows.
//
// Each worker (a thread; or the only one) owns a block of rows. `depth` steps are done in waves: wave q does
// row q of step 0, row q-1 of step 1, row q-2 of step 2 and so on, so that a row is used again while it is
// still in cache. For a block of four rows and a depth of three, the number is the wave that does a row:
//
//               step 0   step 1   step 2
//      row 5       .        .        7       rows of the northern neighbour, which does them in step 0
//      row 4       .        5        6       and 1 as its own first rows, long before they are needed here
//      row 3       3        4        5
//      row 2       2        3        4
//      row 1       1        2        .       done by the southern neighbour
//      row 0       0        .        .
//
// A row needs its neighbours' previous step, so the rows of each step begin one row further north. No row is
// done twice, and a step's sum of speeds is exact. Within a block of steps workers depend on their northern
// neighbour alone, between blocks on both; they wait for its progress, and there is no barrier.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/caches.hpp"
#include "common/progress.hpp"

namespace boltzmark {

/// The rows of a periodic grid dealt to workers in contiguous blocks, and the depth of their wavefront.
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

 private:
  int rows_, workers_, depth_;
};

/// The depth that keeps a core's rows under way in its second-level cache, with room for what streams by.
inline int default_time_block(std::size_t row_bytes) {
  const std::size_t rows = core_caches().l2 / 4 * 3 / row_bytes;
  return static_cast<int>(std::clamp<std::size_t>(rows, 3, 18)) - 2;
}

/// The same order for a strip whose halo rows are updated too: before it, `levels` rows beyond either end
/// hold the neighbours' state; in step s the levels-1-s rows next to the strip are done like the strip's own,
/// so that nothing needs to be exchanged before the last step is done. update(y, level): y from 1-levels to
/// rows+levels-2.
template <class Update>
void run_trapezoid(int rows, int levels, Update&& update) {
  for (int wave = 0; wave < rows + 2 * (levels - 1); ++wave)
    for (int level = 0; level <= std::min(levels - 1, wave / 2); ++level) {
      const int y = wave - level - (levels - 1);
      if (y < rows + levels - 1 - level) update(y, level);
    }
}

/// Worker `me`'s part of `steps` time steps. `update(y, step)` does row y, 0 .. rows-1. `progress` has an
/// entry a worker, all zero at the start; every worker must be running.
template <class Update>
void run_wavefront(const WavefrontPlan& plan, int me, int steps, std::vector<Progress>& progress,
                   Update&& update) {
  const int workers = plan.workers(), begin = plan.begin(me), rows = plan.begin(me + 1) - begin;
  const int south = (me + workers - 1) % workers, north = (me + 1) % workers;
  const int south_rows = plan.begin(south + 1) - plan.begin(south);
  // Progress counts waves; a block of steps takes at most this many.
  const std::int64_t waves_of_block = std::int64_t{plan.rows()} + 2 * plan.depth();
  std::int64_t block_start = 0;
  int previous = 0;  // steps in the block before
  for (int first = 0; first < steps; first += plan.depth(), block_start += waves_of_block) {
    const int levels = std::min(plan.depth(), steps - first);
    const int waves = rows + 2 * (levels - 1);
    for (int wave = 0; wave < waves; ++wave) {
      if (workers > 1) {
        // Row `wave` of the first level needs the row north of it from the block before, which belongs to
        // the southern neighbour as far as that block's last level reaches into this worker's rows.
        if (first > 0 && wave < previous) {
          const int needed = south_rows + wave + 1 + previous;
          progress[south].wait_for(wave + 2 < previous ? block_start - waves_of_block + needed : block_start);
        }
        // The last row of a level needs the first two of the northern neighbour's level before.
        if (wave >= rows - 1) progress[north].wait_for(block_start + wave - rows + 1);
      }
      const int lowest = wave < rows ? 0 : (wave - rows) / 2 + 1, highest = std::min(levels - 1, wave / 2);
      for (int level = lowest; level <= highest; ++level) {
        const int y = begin + wave - level;
        update(y < plan.rows() ? y : y - plan.rows(), first + level);
      }
      progress[me].reach(wave + 1 < waves ? block_start + wave + 1 : block_start + waves_of_block);
    }
    previous = levels;
  }
}

}  // namespace boltzmark
