// The cells of a problem that a grid of the CPU models holds: some layers, each with all cells or with those of a block
// and its frame.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "common/base/half.hpp"
#include "common/lbm/cpu/vector_row.hpp"
#include "common/lbm/problem.hpp"
#include "common/lbm/relaxation.hpp"
#include "common/lbm/start_state.hpp"

/// WHAT(WORD, T, L) for all types of grids.
#define EACH_STORED(WHAT, WORD) \
  WHAT(WORD, float, D2Q9)       \
  WHAT(WORD, double, D2Q9)      \
  WHAT(WORD, Half, D2Q9)        \
  WHAT(WORD, float, D3Q19)      \
  WHAT(WORD, double, D3Q19)     \
  WHAT(WORD, Half, D3Q19)

namespace boltzmark::lbm {

/// Columns x .. x+nx-1 and, in three dimensions, rows y .. y+ny-1 of every layer. Along an axis of which it has only a
/// part, a frame of one cell on either side holds the periodic neighbours. These cells count as solid.
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
  /// Column and row in the whole grid of a column and a row of a layer; in two dimensions the row is 0.
  int grid_x(int column, const Parameters& p) const { return wrapped(x + column - frame_x, p.nx); }
  int grid_y(int row, const Parameters& p) const { return p.dimension == 2 ? 0 : wrapped(y + row - frame_y, p.ny); }
};

inline LayerPart whole_layer(const Parameters& p) { return {.nx = p.nx, .ny = p.dimension == 2 ? 1 : p.ny}; }

/// Constants for a grid of Ts: halves have separate units, to which the method is proportional.
template <class T>
Parameters in_units_of(Parameters p) {
  if constexpr (std::is_same_v<T, Half>) p.density *= half_units();
  return p;
}

/// Layers first .. first+layers-1 of a problem (rows, or planes of rows in three dimensions), and `halo` more at either
/// end, which hold copies of a neighbour's. Without halo layers the grid is periodic: layer -1 is layer layers-1.
template <class T, class L>
class GridPart {
  using Constants = Relaxation<Arithmetic<T>, L>;

 public:
  int layers() const { return layers_; }
  /// Rows of a layer and columns of a row, those of a frame included.
  int rows() const { return part_.rows(); }
  int columns() const { return part_.columns(); }

 protected:
  static constexpr bool is_flat = L::dimension == 2;

  GridPart(const Problem& problem, int first, int layers, int halo, const LayerPart& part)
      : problem_(problem),
        part_(part),
        first_(first),
        layers_(layers),
        halo_(halo),
        relaxation_(make_relaxation<Arithmetic<T>, L>(in_units_of<T>(problem.parameters))),
        start_relaxation_(make_relaxation<Arithmetic<T>, L>(problem.parameters)),
        pushes_(wall_pushes<L>(problem)) {
    for (int y = 0; y < rows() && !is_flat; ++y)
      if (!part.is_frame_row(y) && part.grid_y(y, problem.parameters) == problem.parameters.driven_row())
        driven_row_ = y;
  }

  std::size_t stored_layers() const { return static_cast<std::size_t>(layers_) + 2 * static_cast<std::size_t>(halo_); }
  /// Number in memory of a layer, which may be one beyond the ends.
  std::size_t stored(int layer) const {
    return static_cast<std::size_t>(halo_ > 0 ? layer + halo_ : wrapped(layer, layers_));
  }
  /// The number of a layer in the problem.
  int grid_layer(int layer) const {
    const int count = problem_.parameters.layers();
    return ((first_ + layer) % count + count) % count;
  }
  bool is_driven(int y, int layer) const {
    return is_flat ? grid_layer(layer) == problem_.parameters.driven_row() : y == driven_row_;
  }

  /// One byte for each cell of row y: whether it is solid. of_layer: the same for the problem's whole layer.
  void find_solid(std::span<const std::uint8_t> of_layer, int y, std::vector<std::uint8_t>& solid) const {
    const Parameters& p = problem_.parameters;
    const auto of_row = of_layer.subspan(static_cast<std::size_t>(part_.grid_y(y, p)) * p.nx);
    solid.resize(static_cast<std::size_t>(columns()));
    for (int x = 0; x < columns(); ++x) solid[x] = part_.is_frame(x, y) || of_row[part_.grid_x(x, p)];
  }
  /// Whether any cell of a row starts with populations that are not zero.
  bool starts_with_any(int y, int layer) const { return is_driven(y, layer) || !starts_at_rest(problem_.parameters); }
  /// Initial populations of a cell, with the body force of the first step.
  Populations<Arithmetic<T>, L> start_in(int x, int y, int layer, bool solid) const {
    const Parameters& p = problem_.parameters;
    const int grid_y = is_flat ? grid_layer(layer) : part_.grid_y(y, p), grid_z = is_flat ? 0 : grid_layer(layer);
    return start_of(p, part_.grid_x(x, p), grid_y, grid_z, solid, is_driven(y, layer), start_relaxation_);
  }
  /// Calls use(push, x) for the push of moving walls in a row on the populations that leave them.
  template <class Use>
  void each_push_in(int y, int layer, Use&& use) const {
    if (part_.is_frame_row(y)) return;
    const Parameters& p = problem_.parameters;
    const std::int64_t row = is_flat ? grid_layer(layer) : std::int64_t{grid_layer(layer)} * p.ny + part_.grid_y(y, p);
    each_push(pushes_, row * p.nx + part_.x, part_.nx,
              [&](const WallPush& push, int of_part) { use(push, of_part + part_.frame_x); });
  }

  const Problem& problem_;
  LayerPart part_;
  int first_, layers_, halo_;
  int driven_row_ = -1;  ///< of every plane, in three dimensions
  Constants relaxation_;

 private:
  Constants start_relaxation_;  ///< in the problem's units

 protected:
  std::vector<WallPush> pushes_;
};

}  // namespace boltzmark::lbm
