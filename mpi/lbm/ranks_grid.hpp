// Ranks as a Cartesian grid, each with a block of the problem's cells, and how what they have comes together on rank 0.
#pragma once

#include <mpi.h>

#include <array>
#include <span>
#include <string>
#include <vector>

#include "common/lbm/problem.hpp"
#include "mpi/lbm/exchange.hpp"

namespace boltzmark::mpi {

/// Ranks along x, y and z; 1 along z in two dimensions.
using RanksShape = std::array<int, 3>;

/// "2x3", or in three dimensions "2x3x1".
std::string to_string(const RanksShape& shape, int dimension);

/// The same from text. Throws Error (bad_input) that names --ranks-grid unless these are as many numbers as the grid
/// has dimensions, their product is `ranks`, and every rank has cells.
RanksShape parse_ranks_shape(const std::string& text, const lbm::Parameters& parameters, int ranks);

/// The shape whose blocks have the least halo, counted in cache lines; of equals that with the fewest ranks along x, then
/// along y. Where there are more ranks than layers: one rank a layer, which nothing can run.
RanksShape least_halo(const lbm::Parameters& parameters, int ranks);

/// Whether only layers are divided: strips.
bool is_strips(const RanksShape& shape, int dimension);

class RanksGrid {
 public:
  /// Collective. The product of the shape is the number of ranks.
  RanksGrid(const lbm::Parameters& parameters, const RanksShape& shape);
  RanksGrid(const RanksGrid&) = delete;
  RanksGrid& operator=(const RanksGrid&) = delete;
  ~RanksGrid() { MPI_Comm_free(&comm_); }

  bool is_root() const { return rank_ == 0; }
  int size() const { return shape_[0] * shape_[1] * shape_[2]; }
  bool is_divided(int axis) const { return shape_[axis] > 1; }
  /// This rank's block: its first cell along an axis (0 x, 1 y, 2 z), and how many it has.
  int begin(int axis) const { return begin(axis, place_[axis]); }
  int count(int axis) const { return begin(axis, place_[axis] + 1) - begin(axis, place_[axis]); }
  /// The ranks before and behind this one along an axis; the grid is periodic.
  RankPair along(int axis) const;

  /// Adds up all ranks' numbers, one per time step, on rank 0.
  void add_up(std::span<double> sums) const;
  /// Copies a field of all blocks to `whole` on rank 0. `block`: this rank's, with `frame` cells that are not its own
  /// on either side along each axis.
  void gather_field(const std::vector<double>& block, const std::array<int, 3>& frame,
                    std::vector<double>& whole) const;

 private:
  int begin(int axis, int place) const {
    return static_cast<int>(std::int64_t{cells_[axis]} * place / shape_[axis]);
  }

  std::array<int, 3> cells_;
  RanksShape shape_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  std::array<int, 3> place_ = {};  ///< of this rank along each axis
};

}  // namespace boltzmark::mpi
