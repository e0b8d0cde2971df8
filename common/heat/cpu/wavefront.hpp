// Several steps in one sweep over the plate, with what is in a core's second-level cache (time skewing).
//
// Each worker has a block of rows. `depth` steps are done in waves: while step 0 is at some rows, step 1 is a row
// behind it, step 2 another row, and so on. common/cpu/wavefront.hpp draws that, one row per wave; here a wave takes
// `at_once` rows, so that vectors loaded for one row serve the next as its neighbours, and the leap from worker to
// worker is the same: of step s a worker does the rows from begin + s to end + s - 1, and RowClock holds it back until
// its neighbours have come as far as it needs. That is made for rows that form a ring; a plate's do with one more,
// which is both its northern and its southern border and is never updated.
//
// Where rows are too long for the cache, the sweep goes over strips of columns, from west to east. A step's strip lies
// a vector further west than that of the step before, so that its inputs are complete:
//
//      step 0   |-------- strip 0 --------|-------- strip 1 --------|---- ...
//      step 1   |------ strip 0 ------|-------- strip 1 --------|---- ...
//      step 2   |---- strip 0 ----|-------- strip 1 --------|---- ...
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "common/cpu/caches.hpp"
#include "common/cpu/progress.hpp"
#include "common/heat/host_solver.hpp"

namespace boltzmark::heat {

template <class T, int lanes>
class Wavefront {
 public:
  static constexpr int at_once = 4, usual_depth = 20;

  Wavefront(const Plate& plate, int workers, std::optional<int> depth)
      : plate_(plate),
        ring_(static_cast<int>(plate.height) + 1),
        workers_(std::min(workers, ring_)),
        depth_(std::min(depth.value_or(usual_depth), ring_ / workers_)) {
    const std::size_t row_values = core_caches().l2 / (2 * sizeof(T) * (depth_ + at_once + 2));
    strip_ = std::max<std::int64_t>(static_cast<std::int64_t>(row_values) / line * line, 4 * line);
    if (strip_ >= plate.width) strip_ = plate.width + std::int64_t{depth_} * lanes;
    strips_ = static_cast<int>((plate.width + std::int64_t{depth_ - 1} * lanes + strip_ - 1) / strip_);
    is_shared_.resize(static_cast<std::size_t>(ring_));
    for (int worker = 0; worker < workers_; ++worker) {
      for (int y = begin(worker); y <= begin(worker) + depth_; ++y) is_shared_[y % ring_] = true;
      is_shared_[begin(worker + 1) - 1] = true;
    }
  }

  int depth() const { return depth_; }
  int workers() const { return workers_; }
  std::int64_t strip() const { return std::min(strip_, plate_.width); }
  /// One for each run of steps.
  RowClock make_clock() const { return RowClock(ring_, 0, workers_); }

  /// Worker `me`'s part of the steps first .. first + steps - 1, of which step s reads grid s; the changes of step
  /// first + s are added to deltas[s]. Every worker must be running.
  void run(Grids<T>& grids, int me, int first, int steps, RowClock& clock, double* deltas) const {
    int done = 0;  // units of work of every row, a step of a strip each
    for (int sweep = 0; sweep < steps; sweep += depth_) {
      const int levels = std::min(depth_, steps - sweep);
      for (int strip = 0; strip < strips_; ++strip, done += levels)
        for_all_waves(me, levels, [&](int row, int end, int level) {
          wait_for_rows(clock, row, end, done + level);
          const auto [west, east] = columns(strip, level);
          if (west < east) deltas[sweep + level] += update(grids, first + sweep + level, row, end, west, east);
          for (int y = row; y < end; ++y)
            if (is_shared_[y % ring_]) clock.reach(y % ring_, done + level + 1);
        });
    }
  }

 private:
  static constexpr int line = 64 / sizeof(T);
  struct Columns {
    std::int64_t west, east;
  };

  int begin(int worker) const { return static_cast<int>(std::int64_t{ring_} * worker / workers_); }

  Columns columns(int strip, int level) const {
    const auto place = [&](std::int64_t edge) {
      return std::clamp<std::int64_t>(edge * strip_ - std::int64_t{level} * lanes, 0, plate_.width);
    };
    return {place(strip), place(strip + 1)};
  }

  /// visit(first row, row behind the last, level).
  template <class Visit>
  void for_all_waves(int me, int levels, Visit&& visit) const {
    const int begin_0 = begin(me), end_0 = begin(me + 1);
    for (int wave = 0; begin_0 + wave * at_once - (levels - 1) < end_0 + levels - 1; ++wave)
      for (int level = 0; level < levels; ++level) {
        const int row = begin_0 + wave * at_once - level;
        const int first = std::max(row, begin_0 + level), end = std::min(row + at_once, end_0 + level);
        if (first < end) visit(first, end, level);
      }
  }

  /// Rows may be done when they and their neighbours have done as many units.
  void wait_for_rows(const RowClock& clock, int row, int end, int units) const {
    for (int y = row - 1; y <= end; ++y)
      if (const int on_ring = (y + ring_) % ring_; is_shared_[on_ring]) clock.wait_for(on_ring, units);
  }

  double update(Grids<T>& grids, int step, int row, int end, std::int64_t west, std::int64_t east) const {
    using Rows = RowKernels<T, lanes>;
    const std::ptrdiff_t pitch = grids.pitch(), width = east - west;
    const auto from = [&](int y) { return grids.row(step, y) + west; };
    const auto to = [&](int y) { return grids.row(step + 1, y) + west; };
    const int y = row % ring_;
    if (end - row == at_once && y + at_once < ring_)
      return Rows::template update<at_once>(from(y), to(y), pitch, width);
    double delta = 0.0;
    for (int one = row; one < end; ++one)
      if (const int y_one = one % ring_; y_one + 1 < ring_)
        delta += Rows::template update<1>(from(y_one), to(y_one), pitch, width);
    return delta;
  }

  Plate plate_;
  int ring_, workers_, depth_;
  std::int64_t strip_ = 0;
  int strips_ = 1;
  std::vector<char> is_shared_;  ///< rows that several workers read or write
};

/// A `Host` that solves by wavefronts: a model's advance() runs the sweep on every worker.
template <class T, int lanes, class Host>
class WavefrontSolver : public Host {
 public:
  template <class... From>
  explicit WavefrontSolver(std::optional<int> depth, const From&... from) : Host(from...), asked_depth_(depth) {}

  void init(const Plate& plate, int steps) override {
    Host::init(plate, steps);
    sweep_.emplace(plate, this->workers(), asked_depth_);
  }
  int steps_per_look() const override { return sweep_->depth(); }

  /// As if every step were a sweep of its own.
  RunFacts facts() const override {
    return this->on_machine({.bytes_per_update = 2.0 * sizeof(T),
                             .steps_per_launch = sweep_->depth(),
                             .settings = {{"vvl", lanes}, {"strip", sweep_->strip()}}});
  }

 protected:
  std::optional<Wavefront<T, lanes>> sweep_;

 private:
  std::optional<int> asked_depth_;
};

}  // namespace boltzmark::heat
