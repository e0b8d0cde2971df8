// Several steps in one sweep over tiles of rows (drawn in common/cpu/split_tiling.hpp; skewed_sweep.hpp updates a
// tile), for models that do not guarantee that their workers run at the same time.
#pragma once

#include <optional>

#include "common/cpu/split_tiling.hpp"
#include "common/heat/cpu/skewed_sweep.hpp"
#include "common/heat/grid_solver.hpp"
#include "common/heat/traffic.hpp"

namespace boltzmark::heat {

template <class T, int lanes>
class SplitTiles {
 public:
  explicit SplitTiles(const Options& asked) : depth_(asked.number("time-block").value_or(usual_depth)) {}

  void init(const PlateGrids<T>& at, int steps, const Workers& workers) {
    steps_ = steps;
    threads_ = workers.count;
    tiling_.emplace(static_cast<int>(at.plate.height), false, threads_, depth_);
    sweep_.emplace(at.plate.width, tiling_->depth());
  }
  void advance(PlateGrids<T>& at, std::span<double> deltas, const Workers& workers) {
    run_tiles(*tiling_, workers.count, workers.run, 1.0, deltas,
              [&](TileRows rows, int first, int levels, double* sums) {
                sweep_->run(at.grids, at.now + first, levels, rows, sums);
              });
    at.now = (at.now + static_cast<int>(deltas.size())) % 2;
  }
  int steps_per_look() const { return tiling_->depth(); }
  /// Counted as if every step were a separate sweep.
  RunFacts facts(const PlateGrids<T>& at) const {
    return {.bytes_per_update = 2.0 * sizeof(T),
            .steps_per_launch = tiling_->depth(),
            .traffic = traffic(at.plate),
            .settings = {{"vvl", lanes}, {"strip", sweep_->strip()}, {"tiles", tiling_->tiles()}}};
  }

 private:
  Traffic traffic(const Plate& plate) const {
    const int at_once = std::min(threads_, tiling_->tiles());
    return swept_in_turns(plate, sizeof(T), steps_, tiling_->depth(), sweep_->window_bytes(at_once),
                          sweep_->near_bytes(at_once),
                          {sweep_->share_again() + tiling_->share_again(),
                           sweep_->strips() > 1 ? sweep_->strip_bytes(plate.height / tiling_->tiles())
                                                : tiling_->share_between * grids_bytes(plate, sizeof(T))});
  }

  int depth_, threads_ = 1, steps_ = 0;
  std::optional<SplitTiling> tiling_;
  std::optional<SkewedSweep<T, lanes>> sweep_;
};

inline Variant split_tiling_of(const char* summary, StartWorkers* start_workers) {
  return {.name = "split-tiling",
          .summary = summary,
          .options = {vector_length_option(), time_block_option({"4", "8", "12", "16", "24", "32"})},
          .make = by<SplitTiles>(start_workers)};
}

}  // namespace boltzmark::heat
