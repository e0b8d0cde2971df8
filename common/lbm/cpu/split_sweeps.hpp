// The time steps of a grid that is updated in place, several in one sweep over tiles of rows, for models that do not
// promise to run their workers at the same time (common/cpu/split_tiling.hpp draws the tiles and says who does which).
// sweeps.hpp has those of workers that wait.
#pragma once

#include <optional>
#include <span>

#include "common/cpu/range.hpp"
#include "common/cpu/split_tiling.hpp"
#include "common/lbm/cpu/sweeps.hpp"

namespace boltzmark::lbm {

/// A grid in tiles. A tile is a band of rows, in three dimensions the same band of every plane:
///
///   two dimensions     row y of step 0, row y-1 of step 1, row y-2 of step 2 ..., then y+1 of step 0 ...
///   three dimensions   the same with planes z, whose rows of a step are those of the tile
template <class T, class L>
class SplitSweeps {
  static constexpr bool by_planes = L::dimension == 3;

 public:
  /// depth: steps in a sweep; default: the best for the caches.
  SplitSweeps(const Problem& problem, const RowKernels<T, L>& kernels, int workers, std::optional<int> depth)
      : grid_(problem, 0, problem.parameters.layers(), 0, kernels),
        tiling_(by_planes ? grid_.rows() : grid_.layers(), true, workers, depth.value_or(usual_depth(workers))) {}

  const SplitTiling& tiling() const { return tiling_; }
  double speed_unit() const { return grid_.speed_unit(); }

  /// Sets a tile's rows to the start state.
  void init(int tile) {
    const TileRows rows = tiling_.tile(tile);
    by_planes ? grid_.init_rows(rows.first, rows.end) : grid_.init_layers(rows.first, rows.end);
  }

  /// Steps first .. first + levels - 1 of `steps` of a tile's rows: sums[level] += the speeds of its cells.
  void run(TileRows rows, int first, int levels, int steps, double* sums) {
    if constexpr (by_planes) {
      const int planes = grid_.layers();
      sweep_north(0, planes, no_limit, levels, [&](int plane, int level) {
        const int begin = rows.first_at(level), step = first + level;
        if (const int count = rows.end_at(level) - begin; count > 0)
          sums[level] += update_in_turn(grid_, begin % tiling_.rows(), count, plane % planes, step, step == steps - 1,
                                        rows_ahead(plane, planes, level, levels), 0);
      });
    } else {
      for_all_waves<1>(rows, levels, [&](int row, int, int level) {
        const int step = first + level;
        sums[level] += grid_.update_layer(row % tiling_.rows(), step, step == steps - 1);
      });
    }
  }
  void collect(int steps, Fields fields) { grid_.collect(steps, fields); }
  Traffic traffic(const Problem& problem, int steps, int workers) const {
    const GridBytes grid(problem, L::directions * sizeof(T));
    const double rows = by_planes ? double(tiling_.rows()) / tiling_.tiles() : 1.0;
    const double window =
        std::min(workers, tiling_.tiles()) * rows * (tiling_.depth() + 1.0) * static_cast<double>(grid_.row_bytes());
    return swept_grid(grid, steps, tiling_.depth(), window,
                      {tiling_.share_again(), tiling_.share_between * grid.all()});
  }

 private:
  int usual_depth(int workers) const {
    if constexpr (by_planes)
      return plan_plane_wavefront(grid_.rows(), grid_.layers(), grid_.row_bytes(), grid_.layer_bytes(), workers, {})
          .depth();
    else
      return default_time_block(grid_.row_bytes());
  }

  InPlaceGrid<T, L> grid_;
  SplitTiling tiling_;
};

/// The variant in-place is a depth of one step.
template <class T, class L>
class SplitSolver final : public Solver {
 public:
  SplitSolver(Workers workers, const Options& asked)
      : workers_(std::move(workers)),
        kernels_(row_kernels<T, L>(asked.number("vvl"))),
        time_block_(asked.variant == "in-place" ? 1 : asked.number("time-block")) {}

  void init(const Problem& problem) override {
    problem_ = &problem;
    sweeps_.emplace(problem, kernels_, workers_.count, time_block_);
    workers_.run([this](int me) {
      const Range mine = part_of(sweeps_->tiling().tiles(), me, workers_.count);
      for (std::int64_t tile = mine.begin; tile < mine.end; ++tile) sweeps_->init(static_cast<int>(tile));
    });
  }
  void run(int steps, std::span<double> av_vels) override {
    run_tiles(
        sweeps_->tiling(), workers_.count, workers_.run,
        sweeps_->speed_unit() / static_cast<double>(problem_->fluid_cells()), av_vels,
        [&](TileRows rows, int first, int levels, double* sums) { sweeps_->run(rows, first, levels, steps, sums); });
    steps_ = steps;
  }
  void collect(State& state) override { sweeps_->collect(steps_, fields_of(state)); }
  RunFacts facts() const override {
    RunFacts facts = workers_.with(in_place_facts(kernels_, sweeps_->tiling().depth()));
    facts.traffic = sweeps_->traffic(*problem_, steps_, workers_.count);
    return facts;
  }

 private:
  Workers workers_;
  const RowKernels<T, L>& kernels_;
  std::optional<int> time_block_;
  int steps_ = 0;  ///< of the last run
  const Problem* problem_ = nullptr;
  std::optional<SplitSweeps<T, L>> sweeps_;
};

inline Variant split_tiling_of(const char* summary, StartWorkers* start_workers) {
  return {.name = "split-tiling",
          .summary = summary,
          .kinds = {D3Q19::name},
          .options = {vector_length_option(), storage_option(), time_block_option({"1", "2", "4", "8", "16", "32"})},
          .make = stored_by<SplitSolver>(start_workers)};
}

}  // namespace boltzmark::lbm
