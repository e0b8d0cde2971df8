// A plate in strips of rows, one for each rank that has any, with a row of each neighbour round it; and its way to the
// root.
#pragma once

#include <mpi.h>

#include "common/heat/cpu/grids.hpp"
#include "common/heat/solver.hpp"
#include "mpi/gathered.hpp"
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
    result_.gather(
        plate_.height, plate_.width, [this](std::int64_t row) { return grids_.row(now_, row); },
        [this](int rank) {
          return Block{part_of(plate_.height, rank, ranks_), {0, plate_.width}};
        });
  }
  void read(std::int64_t row, std::span<double> values) const override { result_.read(row, values); }

 protected:
  static inline const MPI_Datatype type = value_type<T>();

  /// Row 0 of part `part` of as many as there are ranks.
  std::int64_t first_row(int part) const { return part_of(plate_.height, part, ranks_).begin; }

  int north_ = MPI_PROC_NULL, south_ = MPI_PROC_NULL;
  Plate plate_;
  std::int64_t first_ = 0, rows_ = 0;  ///< this rank's
  Grids<T> grids_;
  int now_ = 0;  ///< the grid that holds the temperatures of now
  Gathered<T> result_;
};

}  // namespace boltzmark::mpi
