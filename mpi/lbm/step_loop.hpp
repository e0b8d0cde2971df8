// One exchange before every step: the order of work in the fused and in-place variants.
//
// The rows of a rank's strip are divided over its threads; the first thread is the one that calls MPI. In every
// step the rows at the strip's ends come first, so that what they give travels while the rest is computed:
//
//   row rows-1   [2]  by the last thread             [1] first thread: finish the exchange for this step
//   ...          [4]                                 [2] the rows at the ends
//   ...          [4]  each thread its own            [3] first thread: start the exchange for the next step
//   row 0        [2]  by the first thread            [4] the rows between
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "common/cpu/progress.hpp"
#include "mpi/lbm/exchange.hpp"

namespace boltzmark::mpi {

/// Worker `me`'s part of `steps` time steps. starts: where the rows of each worker begin, the last entry
/// being the number of rows. before: the exchanges that even steps and odd steps need. clock: of the strip and
/// one halo row at either end. update(y, step) does row y.
template <class Update>
void run_steps(const std::vector<int>& starts, int me, int steps,
               std::array<std::optional<Exchange>, 2>& before, RowClock& clock, Update&& update) {
  const int rows = starts.back(), begin = starts[me], end = starts[me + 1];
  const bool is_first = begin == 0, is_last = end == rows;
  if (is_first) before[0]->start();
  for (int step = 0; step < steps; ++step) {
    const auto do_row = [&](int y) {
      clock.wait_to_do(y, step);
      update(y, step);
      clock.reach(y, step + 1);
    };
    if (is_first) {
      before[step % 2]->finish();
      clock.reach(-1, step);
      clock.reach(rows, step);
      do_row(0);
    }
    if (is_last && rows > 1) do_row(rows - 1);
    if (is_first && step < steps - 1) {
      clock.wait_for(rows - 1, step + 1);
      before[(step + 1) % 2]->start();
    }
    for (int y = std::max(begin, 1); y < std::min(end, rows - 1); ++y) do_row(y);
  }
}

}  // namespace boltzmark::mpi
