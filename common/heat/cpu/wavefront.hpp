// Several steps in one sweep over the plate (skewed_sweep.hpp), each worker in a block of rows.
//
// Drawn in common/cpu/wavefront.hpp, with one row per wave; the shift between workers is the same: in step s a worker
// does the rows from begin + s to end + s - 1, and RowClock holds it back until its neighbours have made the progress
// that it needs. RowClock assumes a ring of rows; a plate forms one with an additional row, which is both its northern
// and its southern border and is never updated.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "common/cpu/progress.hpp"
#include "common/cpu/worker_sums.hpp"
#include "common/heat/cpu/skewed_sweep.hpp"
#include "common/heat/grid_solver.hpp"
#include "common/heat/traffic.hpp"

namespace boltzmark::heat {

template <class T, int lanes>
class Wavefront {
  using Sweep = SkewedSweep<T, lanes>;

 public:
  Wavefront(const Plate& plate, int workers, std::optional<int> asked_depth)
      : ring_(static_cast<int>(plate.height) + 1),
        workers_(std::min(workers, ring_)),
        sweep_(plate.width, std::min(asked_depth.value_or(usual_depth), ring_ / workers_)) {
    is_shared_.resize(static_cast<std::size_t>(ring_));
    for (int worker = 0; worker < workers_; ++worker) {
      for (int y = begin(worker); y <= begin(worker) + depth(); ++y) is_shared_[y % ring_] = true;
      is_shared_[begin(worker + 1) - 1] = true;
    }
  }

  int depth() const { return sweep_.depth(); }
  int workers() const { return workers_; }
  std::int64_t strip() const { return sweep_.strip(); }
  Traffic traffic(const Plate& plate, std::int64_t steps) const {
    return swept_in_turns(plate, sizeof(T), steps, depth(), sweep_.window_bytes(workers_), sweep_.near_bytes(workers_),
                          {sweep_.share_again(), sweep_.strip_bytes(plate.height)});
  }
  /// One for each run of steps.
  RowClock make_clock() const { return RowClock(ring_, 0, workers_); }

  /// Worker `me`'s part of the steps first .. first + steps - 1, of which step s reads grid s; the changes of step
  /// first + s are added to deltas[s]. Every worker must be running.
  void run(GridRows<T> grids, int me, int first, int steps, RowClock& clock, double* deltas) const {
    int done = 0;  // units of work of every row: one step of one strip each
    for (int sweep = 0; sweep < steps; sweep += depth()) {
      const int levels = std::min(depth(), steps - sweep);
      for (int strip = 0; strip < sweep_.strips(); ++strip, done += levels)
        for_all_waves<Sweep::at_once>({begin(me), begin(me + 1), 1, 1}, levels, [&](int row, int end, int level) {
          wait_for_rows(clock, row, end, done + level);
          const Range columns = sweep_.columns(strip, level);
          if (columns.size() > 0) deltas[sweep + level] += update(grids, first + sweep + level, row, end, columns);
          for (int y = row; y < end; ++y)
            if (is_shared_[y % ring_]) clock.reach(y % ring_, done + level + 1);
        });
    }
  }

 private:
  int begin(int worker) const { return static_cast<int>(std::int64_t{ring_} * worker / workers_); }

  /// Rows may be done when they and their neighbours have done that many units.
  void wait_for_rows(const RowClock& clock, int row, int end, int units) const {
    for (int y = row - 1; y <= end; ++y)
      if (const int on_ring = (y + ring_) % ring_; is_shared_[on_ring]) clock.wait_for(on_ring, units);
  }

  double update(GridRows<T> grids, int step, int row, int end, Range columns) const {
    const int y = row % ring_;
    if (y + (end - row) < ring_) return Sweep::update(grids, step, y, y + (end - row), columns);
    double delta = 0.0;
    for (int one = row; one < end; ++one)
      if (const int y_one = one % ring_; y_one + 1 < ring_)
        delta += Sweep::update(grids, step, y_one, y_one + 1, columns);
    return delta;
  }

  int ring_, workers_;
  Sweep sweep_;
  std::vector<char> is_shared_;  ///< rows that several workers read or write
};

/// Wavefront: each worker has a block of rows and waits only for its neighbours' rows.
///
///     for all waves   for all steps s of a sweep   my rows wave - s:   next = 0.2 (...);   delta[s] += |next - centre|
template <class T, int lanes>
class TimeSkewed {
 public:
  explicit TimeSkewed(const Options& asked) : asked_depth_(asked.number("time-block")) {}

  void init(const PlateGrids<T>& at, int steps, const Workers& workers) {
    steps_ = steps;
    sweep_.emplace(at.plate, workers.count, asked_depth_);
  }
  void advance(PlateGrids<T>& at, std::span<double> deltas, const Workers& workers) {
    const auto steps = static_cast<int>(deltas.size());
    WorkerSums sums(sweep_->workers());
    RowClock clock = sweep_->make_clock();
    workers.run([&](int me) {
      if (me < sweep_->workers()) sweep_->run(at.grids, me, at.now, steps, clock, sums.start(me, steps));
    });
    sums.add_up(1.0, deltas);
    at.now = (at.now + steps) % 2;
  }
  int steps_per_look() const { return sweep_->depth(); }
  /// Counted as if every step were a separate sweep.
  RunFacts facts(const PlateGrids<T>& at) const {
    return {.bytes_per_update = 2.0 * sizeof(T),
            .steps_per_launch = sweep_->depth(),
            .traffic = sweep_->traffic(at.plate, steps_),
            .settings = {{"vvl", lanes}, {"strip", sweep_->strip()}}};
  }

 private:
  std::optional<int> asked_depth_;
  int steps_ = 0;
  std::optional<Wavefront<T, lanes>> sweep_;
};

/// For models whose workers all run at the same time.
inline Variant wavefront_of(StartWorkers* start_workers) {
  return {.name = "wavefront",
          .summary = "several steps in one sweep over the rows",
          .options = {vector_length_option(), time_block_option({"4", "8", "12", "16", "24", "32"})},
          .make = by<TimeSkewed>(start_workers)};
}

}  // namespace boltzmark::heat
