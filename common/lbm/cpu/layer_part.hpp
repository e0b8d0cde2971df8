// Which cells of every layer a grid has: all, or those of a block with a frame.
#pragma once

#include "common/lbm/problem.hpp"

namespace boltzmark::lbm {

/// An index up to one period beyond the ends of 0 .. count-1, in a periodic grid.
inline int wrapped(int number, int count) {
  return number < 0 ? number + count : number >= count ? number - count : number;
}

/// Columns x .. x+nx-1 and, in three dimensions, rows y .. y+ny-1 of every layer. Along an axis of which it has only a
/// part there is a frame of one cell on either side for the periodic neighbours. These cells count as solid.
struct LayerPart {
  int x = 0, nx = 0, y = 0, ny = 0;
  bool frame_x = false, frame_y = false;

  /// Columns of a row and rows of a layer (1 in two dimensions), those of the frame included.
  int columns() const { return nx + 2 * frame_x; }
  int rows() const { return ny + 2 * frame_y; }

  bool is_frame_row(int row) const { return frame_y && (row == 0 || row == rows() - 1); }
  bool is_frame(int column, int row) const {
    return (frame_x && (column == 0 || column == columns() - 1)) || is_frame_row(row);
  }
  /// Where a column and a row of a layer are in the whole grid; in two dimensions the row is 0.
  int grid_x(int column, const Parameters& p) const { return wrapped(x + column - frame_x, p.nx); }
  int grid_y(int row, const Parameters& p) const { return p.dimension == 2 ? 0 : wrapped(y + row - frame_y, p.ny); }
};

inline LayerPart whole_layer(const Parameters& p) { return {.nx = p.nx, .ny = p.dimension == 2 ? 1 : p.ny}; }

}  // namespace boltzmark::lbm
