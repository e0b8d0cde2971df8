// Several steps of some rows in one sweep, on data in a core's second-level cache (time skewing): step 1 follows one
// row behind step 0, step 2 another row behind, and so on. A wave takes `at_once` rows, so that vectors loaded for one
// row serve the next as its neighbours.
//
// If rows are too long for the cache, the sweep proceeds over strips of columns, from west to east. A step's strip
// begins one vector further west than that of the step before, so that its inputs are complete:
//
//      step 0   |-------- strip 0 --------|-------- strip 1 --------|---- ...
//      step 1   |------ strip 0 ------|-------- strip 1 --------|---- ...
//      step 2   |---- strip 0 ----|-------- strip 1 --------|---- ...
#pragma once

#include <algorithm>

#include "common/cpu/processors.hpp"
#include "common/cpu/range.hpp"
#include "common/cpu/split_tiling.hpp"
#include "common/heat/cpu/plate_grids.hpp"

namespace boltzmark::heat {

inline constexpr int usual_depth = 20;  ///< steps of a sweep

template <class T, int lanes>
class SkewedSweep {
 public:
  static constexpr int at_once = 4;

  /// l2: bytes of a core's cache.
  SkewedSweep(std::int64_t width, int depth, std::size_t l2 = core_caches().l2) : width_(width), depth_(depth) {
    const std::size_t row_values = l2 / (2 * sizeof(T) * static_cast<std::size_t>(depth + at_once + 2));
    strip_ = std::max<std::int64_t>(static_cast<std::int64_t>(row_values) / line * line, 4 * line);
    if (strip_ >= width) strip_ = width + std::int64_t{depth} * lanes;
    strips_ = static_cast<int>((width + std::int64_t{depth - 1} * lanes + strip_ - 1) / strip_);
  }

  int depth() const { return depth_; }
  int strips() const { return strips_; }
  /// Columns of a strip.
  std::int64_t strip() const { return std::min(strip_, width_); }

  /// The share of the columns visited by two strips: at their edge, one vector for each step except the first.
  double share_again() const {
    return static_cast<double>(strips_ - 1) * (depth_ - 1) * lanes / static_cast<double>(width_);
  }
  /// Bytes of the rows in progress, for this many workers; and of all rows of a strip.
  double window_bytes(int workers) const { return workers * strip_bytes(depth_ + 1); }
  double near_bytes(int workers) const { return workers * strip_bytes(at_once); }
  double strip_bytes(std::int64_t rows) const {
    return 2.0 * sizeof(T) * static_cast<double>(strip()) * static_cast<double>(rows);
  }

  /// Columns of a strip in a step.
  Range columns(int strip, int level) const {
    const auto place = [&](std::int64_t edge) {
      return std::clamp<std::int64_t>(edge * strip_ - std::int64_t{level} * lanes, 0, width_);
    };
    return {place(strip), place(strip + 1)};
  }

  /// Step `step` of these rows and columns, from grid `step` to the next; the sum of the changes.
  static double update(GridRows<T> grids, int step, int row, int end, Range columns) {
    using Rows = RowKernels<T, lanes>;
    const std::ptrdiff_t pitch = grids.pitch, width = columns.size();
    const auto from = [&](int y) { return grids.row(step, y) + columns.begin; };
    const auto to = [&](int y) { return grids.row(step + 1, y) + columns.begin; };
    if (end - row == at_once) return Rows::template update<at_once>(from(row), to(row), pitch, width);
    double delta = 0.0;
    for (int y = row; y < end; ++y) delta += Rows::template update<1>(from(y), to(y), pitch, width);
    return delta;
  }

  /// Steps first .. first + levels - 1 of a tile's rows; the changes of step first + s are added to deltas[s], only of
  /// rows `counted`.
  void run(GridRows<T> grids, int first, int levels, TileRows rows, double* deltas,
           Range counted = {0, no_limit}) const {
    for (int strip = 0; strip < strips_; ++strip)
      for_all_waves<at_once>(rows, levels, [&](int row, int end, int level) {
        const Range across = columns(strip, level);
        while (row < end && across.size() > 0) {
          const bool counts = row >= counted.begin && row < counted.end;
          const auto stop = static_cast<int>(counts                ? std::min<std::int64_t>(end, counted.end)
                                             : row < counted.begin ? std::min<std::int64_t>(end, counted.begin)
                                                                   : end);
          const double delta = update(grids, first + level, row, stop, across);
          if (counts) deltas[level] += delta;
          row = stop;
        }
      });
  }

 private:
  static constexpr int line = 64 / sizeof(T);
  static constexpr std::int64_t no_limit = std::int64_t{1} << 40;

  std::int64_t width_;
  int depth_;
  std::int64_t strip_ = 0;
  int strips_ = 1;
};

}  // namespace boltzmark::heat
