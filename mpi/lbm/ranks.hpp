// How a grid's rows are dealt to the ranks, and how what each has comes together on rank 0.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

#include "common/lbm/solver.hpp"

namespace boltzmark::mpi {

/// Contiguous strips of rows, one a rank, of about equal cost; the ring of ranks is periodic.
class Ranks {
 public:
  /// `costs`: of every row of the grid (row_costs). Throws Error (bad_input) when there are more ranks than
  /// rows.
  Ranks(int nx, std::span<const std::int64_t> costs);

  int size() const { return size_; }
  int north() const { return (rank_ + 1) % size_; }
  int south() const { return (rank_ + size_ - 1) % size_; }
  /// This rank's strip.
  int first_row() const { return starts_[rank_]; }
  int rows() const { return rows(rank_); }
  /// Rows of the shortest strip and of the longest.
  int fewest_rows() const;
  int most_rows() const;

  /// Sums of all ranks' numbers, one a time step, on rank 0.
  void add_up(std::span<double> sums) const;

  /// Joins the fields of all strips on rank 0, which alone has `whole`. `collect(ux, uy, density)` fills this
  /// rank's, row after row.
  template <class Collect>
  void gather(State& whole, Collect&& collect) const {
    State mine;  // of a strip; rank 0 writes its own where it belongs
    if (rank_ != 0) mine.resize(std::int64_t{rows()} * nx_);
    State& to = rank_ == 0 ? whole : mine;
    const std::size_t cells = static_cast<std::size_t>(rows()) * static_cast<std::size_t>(nx_);
    collect(std::span(to.ux).first(cells), std::span(to.uy).first(cells), std::span(to.density).first(cells));
    for (auto* field : {&to.ux, &to.uy, &to.density}) gather_field(field->data());
  }

 private:
  int rows(int rank) const { return starts_[rank + 1] - starts_[rank]; }
  void gather_field(double* field) const;

  int rank_ = 0, size_ = 1, nx_;
  std::vector<int> starts_;  ///< of the strips, and behind them the number of rows
};

}  // namespace boltzmark::mpi
