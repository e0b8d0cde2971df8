// A plate in strips of rows, one for each rank that has any, with a row of each neighbour round it; and its way to the
// root.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <vector>

#include "common/heat/cpu/grids.hpp"
#include "common/heat/solver.hpp"
#include "mpi/on_ranks.hpp"
#include "mpi/types.hpp"

namespace boltzmark::mpi {
using namespace heat;

template <class T>
class StripSolver : public OnRanks<OnHost<Solver>> {
 public:
  using OnRanks::OnRanks;

  void init(const Plate& plate, int) override {
    plate_ = plate;
    now_ = 0;
    first_ = first_row(rank_);
    rows_ = first_row(rank_ + 1) - first_;
    // Ranks without rows are left out. Those with rows are next to each other where there are more ranks than rows,
    // too.
    north_ = south_ = MPI_PROC_NULL;
    for (int other = 0; other < ranks_ && rows_ > 0; ++other) {
      if (first_row(other + 1) == first_row(other)) continue;
      if (first_row(other + 1) == first_) north_ = other;
      if (first_row(other) == first_ + rows_) south_ = other;
    }
    grids_ = Grids<T>(plate.width, rows_);
    for (std::int64_t y = -1; y <= rows_; ++y) grids_.fill(plate, y, first_ + y);
  }

  void collect() override {
    const auto width = static_cast<int>(plate_.width);
    if (rank_ != 0) {
      for (std::int64_t y = 0; y < rows_; ++y) MPI_Send(grids_.row(now_, y), width, type, 0, 0, MPI_COMM_WORLD);
      return;
    }
    result_.resize(static_cast<std::size_t>(plate_.width * plate_.height));
    for (int from = 0; from < ranks_; ++from)
      for (std::int64_t row = first_row(from); row < first_row(from + 1); ++row) {
        T* const to = result_.data() + row * plate_.width;
        if (from == 0)
          std::copy_n(grids_.row(now_, row), width, to);
        else
          MPI_Recv(to, width, type, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
  }

  void read(std::int64_t row, std::span<double> values) const override {
    const T* const from = result_.data() + row * plate_.width;
    std::copy(from, from + values.size(), values.begin());
  }

 protected:
  static inline const MPI_Datatype type = value_type<T>();

  /// Row 0 of part `part` of as many as there are ranks.
  std::int64_t first_row(int part) const { return plate_.height * part / ranks_; }

  int north_ = MPI_PROC_NULL, south_ = MPI_PROC_NULL;
  Plate plate_;
  std::int64_t first_ = 0, rows_ = 0;  ///< this rank's
  Grids<T> grids_;
  int now_ = 0;  ///< the grid that holds the temperatures of now
  std::vector<T> result_;
};

}  // namespace boltzmark::mpi
