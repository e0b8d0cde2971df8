// Several steps in one sweep over tiles of rows (common/cpu/split_tiling.hpp draws them, skewed_sweep.hpp says what is
// done to one), for models whose workers cannot wait for one another: of a sweep all tiles may be done at once, and
// then all gaps.
#pragma once

#include <optional>

#include "common/cpu/split_tiling.hpp"
#include "common/heat/cpu/skewed_sweep.hpp"
#include "common/heat/host_solver.hpp"

namespace boltzmark::heat {

/// A `Host` that solves by tiles for `workers` threads: a model's advance() is the sweeps of run_sweeps().
template <class T, int lanes, class Host>
class SplitSolver : public Host {
 public:
  template <class... From>
  explicit SplitSolver(std::optional<int> depth, int workers, const From&... from)
      : Host(from...), depth_(depth.value_or(usual_depth)), workers_(workers) {}

  void init(const Plate& plate, int steps) override {
    Host::init(plate, steps);
    tiling_.emplace(static_cast<int>(plate.height), false, workers_, depth_);
    sweep_.emplace(plate.width, tiling_->depth());
    steps_ = steps;
  }
  int steps_per_look() const override { return tiling_->depth(); }

  /// As if every step were a sweep of its own.
  RunFacts facts() const override {
    return this->on_machine({.bytes_per_update = 2.0 * sizeof(T),
                             .steps_per_launch = tiling_->depth(),
                             .traffic = traffic(),
                             .settings = {{"vvl", lanes}, {"strip", sweep_->strip()}, {"tiles", tiling_->tiles()}}});
  }

 protected:
  /// run_tiles() with this sweep.
  template <class Sweep>
  void run_sweeps(std::span<double> deltas, const Sweep& sweep) {
    run_tiles(*tiling_, 1.0, deltas, sweep, [&](TileRows rows, int first, int levels, double* sums) {
      sweep_->run(this->grids_, this->now_ + first, levels, rows, sums);
    });
    this->now_ = (this->now_ + static_cast<int>(deltas.size())) % 2;
  }

 private:
  Traffic traffic() const {
    const Plate& plate = this->plate_;
    const bool has_strips = sweep_->strips() > 1;
    return swept_in_turns(plate, sizeof(T), steps_, tiling_->depth(),
                          sweep_->window_bytes(std::min(workers_, tiling_->tiles())),
                          sweep_->near_bytes(std::min(workers_, tiling_->tiles())),
                          {sweep_->share_again() + tiling_->share_again(),
                           has_strips ? sweep_->strip_bytes(plate.height / tiling_->tiles())
                                      : tiling_->share_between * grids_bytes(plate, sizeof(T))});
  }

  int depth_, workers_, steps_ = 0;
  std::optional<SplitTiling> tiling_;
  std::optional<SkewedSweep<T, lanes>> sweep_;
};

}  // namespace boltzmark::heat
