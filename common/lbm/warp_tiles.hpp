// Grids cut into tiles that stay on a GPU's chip for many steps, with layers of the cells around them; and the division
// for tiles in registers (opencl/lbm/kernels/warp_tiles.cl draws one).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "common/lbm/problem.hpp"

namespace boltzmark::lbm {

/// Tiles of a grid and the layers around them, see opencl/lbm/kernels/tiles.cl.
struct Tiles {
  int groups_x = 1, groups_y = 1, x = 1, y = 1, depth = 2;

  static int pieces(int cells, int by) { return (cells + by - 1) / by; }

  Tiles() = default;
  Tiles(const Parameters& grid, int of_row, int of_column, int layers)
      : groups_x(of_row),
        groups_y(of_column),
        x(pieces(grid.nx, of_row)),
        y(pieces(grid.ny, of_column)),
        depth(layers) {}

  int groups() const { return groups_x * groups_y; }
  int region() const { return (x + 2 * depth) * (y + 2 * depth); }
  /// Cells exchanged, per cell of the grid: those that a tile posts, within its layers of the edge, and those that it
  /// fetches.
  double crossing(const Parameters& grid) const {
    const double width = double(grid.nx) / groups_x, height = double(grid.ny) / groups_y;
    const auto grown = [&](int by) { return std::max(0.0, width + by) * std::max(0.0, height + by); };
    return (grown(2 * depth) - grown(-2 * depth)) / (width * height);
  }
  /// Cells that a step updates, on average over the steps between two exchanges.
  double cells_a_step() const {
    double cells = 0.0;
    for (int s = 1; s <= depth; ++s) cells += double(x + 2 * (depth - s)) * double(y + 2 * (depth - s));
    return cells / depth;
  }
};

/// The same tiles in registers: a few rows per warp, one group per compute unit.
struct WarpTiles {
  enum : int { warp = 32, crossings = 6 };

  Tiles tiles;
  int rows = 1;  ///< of a warp

  /// As few rows per warp as the warps of a group allow.
  WarpTiles(const Tiles& cut, int most_warps) : tiles(cut), rows(Tiles::pieces(region_rows(), most_warps)) {}

  int region_rows() const { return tiles.y + 2 * tiles.depth; }
  int warps() const { return Tiles::pieces(region_rows(), rows); }
  int items() const { return warps() * warp; }
  /// Places of a row of a tile in a mailbox, whose rows begin with a sector of memory; and all words of the mailbox.
  int box_pitch() const { return Tiles::pieces(tiles.x, 8) * 8; }
  std::size_t mailbox_words(int grid_rows) const {
    return std::size_t{2 * 9} * static_cast<std::size_t>(grid_rows) * static_cast<std::size_t>(tiles.groups_x) *
           static_cast<std::size_t>(box_pitch());
  }

  bool fit_registers(int most_rows) const {
    constexpr int row_registers = 28, other_registers = 32, unit_registers = 65536;
    return tiles.x + 2 * tiles.depth <= warp && rows <= most_rows &&
           items() * (rows * row_registers + other_registers) <= unit_registers;
  }

  /// Microseconds of a step, fitted to tiles of 13 shapes on an H200 within 2 %: the cost of a step is proportional to
  /// the warps that still hold valid rows; an exchange is a trip through the second-level cache. Since warps are of
  /// three kinds (kernels/warp_tiles.cl), the three shapes chosen for the standard grids take 4 to 6 % less than
  /// predicted.
  double step_cost() const {
    constexpr double a_step = 0.033, a_row = 0.0257, all_rows = -0.0104, an_exchange = 0.90;
    double active = 0.0;
    for (int step = 1; step <= tiles.depth; ++step) active += Tiles::pieces(region_rows() - 2 * step, rows);
    return a_step + ((all_rows + a_row * rows) * active + an_exchange) / tiles.depth;
  }
};

/// The fastest division that `fits`, for a device of this many units; empty if none fits.
template <class Fit>
std::optional<WarpTiles> best_warp_tiles(const Parameters& grid, int units, int most_warps,
                                         const std::vector<int>& depths, Fit&& fit) {
  std::optional<WarpTiles> best;
  for (const int depth : depths)
    for (int of_row = 1; of_row <= std::min(units, grid.nx); ++of_row) {
      const WarpTiles tiles(Tiles(grid, of_row, std::min(units / of_row, grid.ny), depth), most_warps);
      if (fit(tiles) && (!best || tiles.step_cost() < best->step_cost())) best = tiles;
    }
  return best;
}

// Division of a grid for warps that march up strips of its columns, several steps at a time.

/// Rows of a strip per warp: at most 256, because sums of more speeds are too inaccurate in single precision, and at
/// least the rows that it does in addition at both ends, `depth` at each. Within these limits, the number for which a
/// device that runs `resident` warps at a time has the fewest rows to do in turn.
inline int rows_of_warp(int strips, int rows, int depth, int resident) {
  const auto pieces = [](int all, int of) { return (all + of - 1) / of; };
  int best = rows;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (int chunks = 1; chunks <= rows; ++chunks) {
    const int own = pieces(rows, chunks);
    const std::int64_t warps = std::int64_t{strips} * pieces(rows, own);
    const std::int64_t in_turn = (warps + resident - 1) / resident * (own + 2 * depth);
    if (own < 2 * depth && chunks > 1) break;
    if (own <= 256 && in_turn < least) least = in_turn, best = own;
  }
  return best;
}

}  // namespace boltzmark::lbm
