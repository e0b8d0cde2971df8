// The ranks as a Cartesian grid, each with a block of the problem's cells, and the gathering of blocks on rank 0. If
// only layers are divided (rows, in three dimensions planes), the blocks are strips: 1xR, 1x1xR.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/lbm/problem.hpp"
#include "common/run/options.hpp"
#include "mpi/exchange.hpp"

namespace boltzmark::mpi {

/// Numbers along x, y and z: of ranks (1 along z in two dimensions), or of cells.
using Extents = std::array<int, 3>;

/// Strips, as many as there are ranks.
Extents strips_of_ranks(int dimension);

/// "2x3", or in three dimensions "2x3x1".
std::string to_string(const Extents& shape, int dimension);

/// --ranks-grid: as many numbers as the grid has dimensions.
ModelOption ranks_grid_option();

/// The shape of --ranks-grid. Throws Error (bad_input) that names it unless the product is the number of ranks and
/// every rank has cells. The default is the shape whose blocks have the smallest halo, counted in cache lines; among
/// equals that with the fewest ranks along x, then along y. With more ranks than layers it is one rank per layer, which
/// no variant can run.
Extents asked_shape(const lbm::Parameters& parameters, const Options& asked);

/// Throws Error (bad_input) if there are more ranks than rows or planes.
void expect_layers(const lbm::Parameters& parameters, int ranks);

/// Adds up all ranks' numbers, one per time step, on rank 0.
void add_up_ranks(std::span<double> sums);

class Ranks {
 public:
  /// Collective. Divides layers by their costs, rows and columns by number. `shape`: its product is the number of
  /// ranks. Throws Error (bad_input) if there are more ranks along the layers than layers.
  Ranks(const lbm::Parameters& parameters, const Extents& shape, std::span<const std::int64_t> costs);
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  ~Ranks() { MPI_Comm_free(&comm_); }

  int size() const { return shape_[0] * shape_[1] * shape_[2]; }
  bool is_root() const { return rank_ == 0; }
  const Extents& shape() const { return shape_; }
  bool is_divided(int axis) const { return shape_[axis] > 1; }
  /// Whether rows or columns are divided, too.
  bool are_strips() const { return size() == shape_[layer_axis_]; }
  /// This rank's block: its first cell along an axis (0 x, 1 y, 2 z), and how many it has.
  int begin(int axis) const { return starts_[axis][place_[axis]]; }
  int count(int axis) const { return count(axis, place_[axis]); }
  /// The same with a frame of cells on either side along rows and columns that are divided.
  int framed_count(int axis) const { return count(axis) + 2 * frame()[axis]; }
  std::int64_t framed_cells() const { return std::int64_t{framed_count(0)} * framed_count(1) * framed_count(2); }
  /// The ranks before and behind this one along an axis; the grid is periodic.
  RankPair along(int axis) const;

  /// The axis of the layers, and this rank's.
  int layer_axis() const { return layer_axis_; }
  RankPair neighbours() const { return along(layer_axis_); }
  int first_layer() const { return begin(layer_axis_); }
  int layers() const { return count(layer_axis_); }
  /// Block of a rank.
  int fewest_layers() const { return fewest_layers_; }
  int most_layers() const { return most_layers_; }

  /// Copies a field of all framed blocks to `whole` on rank 0, where `block` may be `whole` itself if the blocks are
  /// strips.
  void gather_field(const double* block, double* whole) const;

 private:
  int count(int axis, int place) const { return starts_[axis][place + 1] - starts_[axis][place]; }
  /// Cells of the frame on either side along each axis.
  Extents frame() const;

  Extents cells_, shape_;
  int layer_axis_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  Extents place_ = {};  ///< of this rank along each axis
  int fewest_layers_ = 0, most_layers_ = 0;
  std::array<std::vector<int>, 3> starts_;  ///< of the blocks along each axis, then the number of cells
};

}  // namespace boltzmark::mpi
