// The ranks of SUMMA as a grid, and the panels that they broadcast.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "common/cpu/range.hpp"
#include "common/matmul/matrix_multiplier.hpp"
#include "common/matmul/shape.hpp"
#include "mpi/gathered.hpp"
#include "mpi/workers.hpp"

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

// A multiplication whose matrices are in blocks over ranks, as a variant.

using namespace matmul;

/// A Method, constructed from workers, as in MatrixMultiplier, with
///
///     Block block_of_c(const Shape& shape, int rank) const
///     Block block_of_a(const Shape& shape) const, block_of_b(shape)      of this rank
template <class T, class Method>
class RankMultiplier final : public Multiplier {
 public:
  explicit RankMultiplier(const Options& asked) : workers_(start_workers(asked)), method_(workers_) {}

  /// The root also holds the whole of C.
  std::string shortage(double bytes) override { return workers_.shortage(1.5 * bytes); }
  void init(const Shape& shape, const Entries& entries) override {
    of_ = Matrices<T>(shape, entries, method_.block_of_a(shape), method_.block_of_b(shape),
                      method_.block_of_c(shape, workers_.rank), workers_);
    method_.init(of_, workers_);
  }
  void spoil() override { of_.spoil(workers_); }
  void multiply() override { method_.multiply(of_, workers_); }
  void collect() override {
    gather_blocks([this](int rank) { return method_.block_of_c(of_.shape, rank); },
                  [this](std::int64_t row) { return of_.c.data() + row * of_.block_of_c.columns.size(); }, whole_);
  }
  void read(std::int64_t row, std::span<double> values) const override {
    std::copy_n(whole_.data() + row * of_.shape.n, values.size(), values.begin());
  }
  RunFacts facts() const override { return workers_.with(method_.facts(of_, workers_)); }

 private:
  Workers workers_;
  Method method_;
  Matrices<T> of_;
  std::vector<T> whole_;  ///< on the root
};

}  // namespace boltzmark::mpi
