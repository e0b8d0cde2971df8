// A plate in strips of rows, one for each rank that has any, with a row of each neighbour round it; and its way to the
// root.
#pragma once

#include <mpi.h>

#include "common/heat/host_solver.hpp"
#include "mpi/gathered.hpp"

namespace boltzmark::mpi {
using namespace heat;

template <class T>
class StripSolver : public GatheredRanks<T, HostSolver<T>> {
 public:
  using GatheredRanks<T, HostSolver<T>>::GatheredRanks;

  void init(const Plate& plate, int) override { this->make_grids(plate, find_neighbours(plate)); }

 protected:
  /// Returns this rank's rows.
  Range find_neighbours(const Plate& plate) {
    const auto strip_of = [&](int rank) { return part_of(plate.height, rank, this->ranks_); };
    const Range mine = strip_of(this->rank_);
    // Ranks without rows are left out. Those with rows are next to each other where there are more ranks than rows,
    // too.
    north_ = south_ = MPI_PROC_NULL;
    for (int other = 0; other < this->ranks_ && mine.size() > 0; ++other) {
      if (strip_of(other).size() == 0) continue;
      if (strip_of(other).end == mine.begin) north_ = other;
      if (strip_of(other).begin == mine.end) south_ = other;
    }
    return mine;
  }

  Block block_of(int rank) const override {
    return {part_of(this->plate_.height, rank, this->ranks_), {0, this->plate_.width}};
  }
  const T* row_of_mine(std::int64_t row) const override { return this->grids_.row(this->now_, row); }

  int north_ = MPI_PROC_NULL, south_ = MPI_PROC_NULL;
};

}  // namespace boltzmark::mpi
