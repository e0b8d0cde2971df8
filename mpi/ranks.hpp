// How a grid's rows are dealt to the ranks, and how what each has comes together on rank 0.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "common/model.hpp"

namespace boltzmark::mpi {

/// Contiguous strips of rows, one a rank, which differ by one row at most; the ring of ranks is periodic.
class Ranks {
 public:
  /// Throws Error (bad_input) when there are more ranks than rows.
  Ranks(int nx, int ny);

  int rank() const { return rank_; }
  int size() const { return size_; }
  int north() const { return (rank_ + 1) % size_; }
  int south() const { return (rank_ + size_ - 1) % size_; }
  /// Where a rank's strip begins; first_row(size()) is the number of rows.
  int first_row(int rank) const { return static_cast<int>(std::int64_t{ny_} * rank / size_); }
  int first_row() const { return first_row(rank_); }
  int rows() const { return first_row(rank_ + 1) - first_row(rank_); }
  /// Rows of the shortest strip.
  int fewest_rows() const { return ny_ / size_; }

  /// Joins the fields of all strips on rank 0. `collect(ux, uy, density)` fills this rank's, row after row.
  template <class Collect>
  void gather(State& whole, Collect&& collect) const {
    State mine;
    mine.resize(std::int64_t{rows()} * nx_);
    collect(mine.ux, mine.uy, mine.density);
    gather_field(mine.ux, whole.ux);
    gather_field(mine.uy, whole.uy);
    gather_field(mine.density, whole.density);
  }

 private:
  void gather_field(const std::vector<double>& mine, std::vector<double>& whole) const;

  int rank_ = 0, size_ = 1, nx_, ny_;
};

}  // namespace boltzmark::mpi
