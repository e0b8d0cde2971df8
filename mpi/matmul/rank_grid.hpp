// The ranks of SUMMA as a grid, and the panels that they broadcast.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <vector>

#include "common/cpu/range.hpp"
#include "common/matmul/shape.hpp"

namespace boltzmark::mpi {

/// Columns of A and rows of B of one broadcast.
struct Panel {
  Range depth;
  int owner_of_a = 0, owner_of_b = 0;  ///< column and row of the grid
};

/// The grid of ranks, and the ranks of this one's row and column.
class RankGrid {
 public:
  RankGrid(int rank, int ranks) {
    int extents[2] = {0, 0};
    MPI_Dims_create(ranks, 2, extents);
    rows_ = extents[0], columns_ = extents[1];
    MPI_Comm_split(MPI_COMM_WORLD, row_of(rank), column_of(rank), &of_row_);
    MPI_Comm_split(MPI_COMM_WORLD, column_of(rank), row_of(rank), &of_column_);
  }
  RankGrid(const RankGrid&) = delete;
  RankGrid& operator=(const RankGrid&) = delete;
  ~RankGrid() {
    MPI_Comm_free(&of_row_);
    MPI_Comm_free(&of_column_);
  }

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  int row_of(int rank) const { return rank / columns_; }
  int column_of(int rank) const { return rank % columns_; }
  /// Of C.
  Block block_of(const matmul::Shape& shape, int rank) const {
    return {part_of(shape.m, row_of(rank), rows_), part_of(shape.n, column_of(rank), columns_)};
  }
  /// At most `most` deep, each within one column of the grid and one row of it.
  std::vector<Panel> panels(std::int64_t depth, std::int64_t most) const {
    std::vector<Panel> panels;
    for (std::int64_t k = 0; k < depth; k = panels.back().depth.end) {
      Panel panel;
      while (part_of(depth, panel.owner_of_a, columns_).end <= k) ++panel.owner_of_a;
      while (part_of(depth, panel.owner_of_b, rows_).end <= k) ++panel.owner_of_b;
      panel.depth = {k, std::min({k + most, part_of(depth, panel.owner_of_a, columns_).end,
                                  part_of(depth, panel.owner_of_b, rows_).end})};
      panels.push_back(panel);
    }
    return panels;
  }
  MPI_Comm of_row() const { return of_row_; }
  MPI_Comm of_column() const { return of_column_; }

 private:
  int rows_ = 1, columns_ = 1;
  MPI_Comm of_row_ = MPI_COMM_NULL, of_column_ = MPI_COMM_NULL;
};

}  // namespace boltzmark::mpi
