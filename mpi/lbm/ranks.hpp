// How a grid's rows are divided over the ranks, and how what each has comes together on rank 0.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

namespace boltzmark::mpi {

/// One contiguous strip of rows per rank, all of about equal cost; the ring of ranks is periodic.
class Ranks {
 public:
  /// `costs`: of every row of the grid (row_costs). Throws Error (bad_input) when there are more ranks than
  /// rows.
  Ranks(int nx, std::span<const std::int64_t> costs);

  int size() const { return size_; }
  bool is_root() const { return rank_ == 0; }
  int north() const { return (rank_ + 1) % size_; }
  int south() const { return (rank_ + size_ - 1) % size_; }
  /// This rank's strip.
  int first_row() const { return starts_[rank_]; }
  int rows() const { return rows(rank_); }
  std::int64_t cells() const { return std::int64_t{rows()} * nx_; }
  /// Rows of the shortest strip and of the longest.
  int fewest_rows() const;
  int most_rows() const;

  /// Adds up all ranks' numbers, one per time step, on rank 0.
  void add_up(std::span<double> sums) const;

  /// Joins a field of all strips on rank 0, where `field` is of the whole grid and begins with its own strip.
  void gather_field(double* field) const;

 private:
  int rows(int rank) const { return starts_[rank + 1] - starts_[rank]; }

  int rank_ = 0, size_ = 1, nx_;
  std::vector<int> starts_;  ///< of the strips, and behind them the number of rows
};

}  // namespace boltzmark::mpi
