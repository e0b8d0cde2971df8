// Split tiling in standard algorithms: in place, several steps in one sweep over tiles of rows. Within an algorithm's
// call no tile needs another, so two calls do all of a sweep's steps (common/cpu/split_tiling.hpp draws them).
//
//     for_each  tile   the steps of its rows, of each step a row less at either end
//     for_each  gap    the steps of the rows that are left between two tiles
#include <algorithm>
#include <execution>
#include <optional>

#include "common/cpu/split_tiling.hpp"
#include "common/cpu/worker_sums.hpp"
#include "common/lbm/cpu/sweeps.hpp"
#include "common/lbm/solver.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {
using namespace lbm;
namespace {

/// A grid in tiles. A tile is a band of rows, in three dimensions the same band of every plane:
///
///   two dimensions     row y of step 0, row y-1 of step 1, row y-2 of step 2 ..., then y+1 of step 0 ...
///   three dimensions   the same with planes z, whose rows of a step are those of the tile
template <class T, class L>
class SplitSweeps {
  static constexpr bool by_planes = L::dimension == 3;

 public:
  /// depth: steps in a sweep; none: as many as the caches are best for.
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

template <class T, class L>
class Tiles : public OnCores<OnHost<Solver>> {
 public:
  explicit Tiles(const Options& asked)
      : kernels_(row_kernels<T, L>(asked.number("vvl"))), time_block_(asked.number("time-block")) {}

  void init(const Problem& problem) override {
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    sweeps_.emplace(problem, kernels_, usable_cores(), time_block_);
    std::for_each(std::execution::par, counting(0), counting(sweeps_->tiling().tiles()),
                  [this](std::int64_t tile) { sweeps_->init(static_cast<int>(tile)); });
  }

  void run(int steps, std::span<double> av_vels) override {
    const SplitTiling& tiling = sweeps_->tiling();
    WorkerSums sums(tiling.tiles());
    std::vector<double*> of_tile;
    for (int tile = 0; tile < tiling.tiles(); ++tile) of_tile.push_back(sums.start(tile, steps));
    for (int first = 0; first < steps; first += tiling.depth()) {
      const int levels = std::min(tiling.depth(), steps - first);
      const auto update = [&](std::int64_t tile, TileRows rows) {
        sweeps_->run(rows, first, levels, steps, of_tile[static_cast<std::size_t>(tile)] + first);
      };
      std::for_each(std::execution::par, counting(0), counting(tiling.tiles()),
                    [&](std::int64_t tile) { update(tile, tiling.tile(static_cast<int>(tile))); });
      if (levels == 1) continue;  // no gaps
      std::for_each(std::execution::par, counting(0), counting(tiling.gaps()),
                    [&](std::int64_t tile) { update(tile, tiling.gap(static_cast<int>(tile))); });
    }
    sums.add_up(sweeps_->speed_unit() / fluid_cells_, av_vels);
    steps_ = steps;
  }

  void collect(State& state) override { sweeps_->collect(steps_, fields_of(state)); }

  RunFacts facts() const override { return this->on_machine(in_place_facts(kernels_, sweeps_->tiling().depth())); }

 private:
  const RowKernels<T, L>& kernels_;
  std::optional<int> time_block_;
  int steps_ = 0;
  double fluid_cells_ = 0.0;
  std::optional<SplitSweeps<T, L>> sweeps_;
};

}  // namespace

extern const lbm::Variant split_tiling = {
    .name = "split-tiling",
    .summary = "in place, several steps in one sweep over tiles of rows, an algorithm each for tiles and gaps",
    .kinds = {D3Q19::name},
    .options = {vector_length_option(), time_block_option({"1", "2", "4", "8", "16", "32"})},
    .make = made_of<Tiles>};

}  // namespace boltzmark::stdpar
