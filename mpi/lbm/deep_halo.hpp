// One exchange of `depth` halo rows before every `depth` steps: the order of work in the wavefront variant.
//
// The halo rows are updated like the strip's own, one fewer at either end with each step: work done twice for
// fewer and larger messages. The depth is even, so that populations are back in their own rows afterwards.
//
//             halo         rows of the strip         halo
//   step 0    [ - s s s ]  [ s s s s i i i i i i n n n n ]  [ n n n - ]
//   step 1    [ - - s s ]  [ s s s s s i i i i n n n n n ]  [ n n - - ]
//   step 2    [ - - - s ]  [ s s s s s s i i n n n n n n ]  [ n - - - ]
//   step 3    [ - - - - ]  [ s s s s s s s n n n n n n n ]  [ - - - - ]
//
// i: what needs no halo row is updated while they travel. It begins a row further in than what is sent, because
// an update writes to the neighbouring rows. Then the south (s), leaning north, and the north (n), leaning
// south. Each of the three is a sweep of several steps over its rows (common/cpu/wavefront.hpp). A strip too
// low for that waits for its halo rows and does all in one sweep.
//
// Each thread has a part of the rows i; the first thread, which calls MPI, also does s, and the last one n.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/cpu/wavefront.hpp"
#include "common/lbm/cpu/row_costs.hpp"
#include "mpi/lbm/exchange.hpp"

namespace boltzmark::mpi {

/// Who does which rows.
class DeepHaloPlan {
 public:
  DeepHaloPlan() = default;
  /// costs: of the strip's rows. depth: at most their number.
  DeepHaloPlan(std::vector<std::int64_t> costs, int depth, int workers)
      : rows_(static_cast<int>(costs.size())), depth_(depth), workers_(workers) {
    const int inside = inside_end() - inside_begin();
    overlaps_ = inside >= std::max(2 * depth_, workers_);
    if (!overlaps_) return;
    // The ends count as additional cost of the first row inside and the last.
    std::int64_t total = 0;
    for (const std::int64_t cost : costs) total += cost;
    const std::int64_t both_ends = total / rows_ * 2 * depth_;
    std::vector<std::int64_t> inner(costs.begin() + inside_begin(), costs.begin() + inside_end());
    inner.front() += both_ends;
    inner.back() += both_ends / 2;  // the last part does not lean beyond its rows
    inside_starts_ = lbm::partition_rows(inner, workers_);
  }

  /// Worker `me`'s part of `steps` time steps. exchange: of `depth` rows at either end. clock: of the strip and
  /// `depth` halo rows at either end. update(y, step): rows beyond 0 .. rows-1 are halo rows.
  template <class Update>
  void run(int me, int steps, Exchange& exchange, RowClock& clock, Update&& update) const {
    const int rows = rows_, depth = depth_;
    const bool is_first = me == 0, is_last = me == workers_ - 1;
    for (int first = 0; first < steps; first += depth) {
      const int levels = std::min(depth, steps - first);
      const auto do_row = [&](int y, int level) {
        clock.wait_to_do(y, first + level);
        update(y, first + level);
        clock.reach(y, first + level + 1);
      };
      if (is_first) {
        for (int y = 0; y < depth; ++y) {
          clock.wait_for(y, first);
          clock.wait_for(rows - 1 - y, first);
        }
        exchange.start();
      }
      if (overlaps_)
        sweep_north(inside_begin(me), inside_begin(me + 1), inside_end(), levels, [&](int y, int level) {
          do_row(y, level);
          if (is_first && level == 0 && y % rows_between_progress == 0) exchange.progress();
        });
      if (is_first) {
        exchange.finish();
        for (int y = 0; y < depth; ++y) {
          clock.reach(-1 - y, first);
          clock.reach(rows + y, first);
        }
      }
      clock.wait_for(-1, first);
      if (!overlaps_) {
        sweep_north(begin(me, levels), begin(me + 1, levels), rows + levels - 1, levels, do_row);
        continue;
      }
      if (is_first) sweep_north(1 - levels, inside_begin(), no_limit, levels, do_row);
      if (is_last) sweep_south(inside_end(), rows + levels - 1, levels, do_row);
    }
  }

 private:
  /// A call that lets messages progress costs as much as a vector or two, so not after every row.
  static constexpr int rows_between_progress = 8;

  /// The rows inside, in step 0.
  int inside_begin() const { return depth_ + 1; }
  int inside_end() const { return rows_ - depth_ - 1; }
  /// Where worker `me`'s part of them begins.
  int inside_begin(int me) const { return inside_begin() + inside_starts_[me]; }
  /// Where its part of all rows begins that are done in step 0 of so many.
  int begin(int me, int steps) const {
    const std::int64_t all = std::int64_t{rows_} + 2 * (steps - 1);
    return static_cast<int>(all * me / workers_) - (steps - 1);
  }
  int rows_ = 0, depth_ = 1, workers_ = 1;
  bool overlaps_ = false;  ///< whether anything can be done before the halo rows are received
  std::vector<int> inside_starts_;
};

}  // namespace boltzmark::mpi
