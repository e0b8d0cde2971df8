// The time steps of a grid that is updated in place, several in one sweep over tiles of its rows that are independent
// (common/cpu/split_tiling.hpp draws them). A tile is a band of rows, in three dimensions the same band of every plane:
//
//   two dimensions     row y of step 0, row y-1 of step 1, row y-2 of step 2 ..., then y+1 of step 0 ...
//   three dimensions   the same with planes z, whose rows of a step are those of the tile
#pragma once

#include <optional>

#include "common/cpu/split_tiling.hpp"
#include "common/cpu/wavefront.hpp"
#include "common/lbm/cpu/in_place_grid.hpp"
#include "common/lbm/cpu/plane_wavefront.hpp"

namespace boltzmark::lbm {

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

}  // namespace boltzmark::lbm
