#include "mpi/lbm/ranks.hpp"

#include <algorithm>

#include "common/base/error.hpp"
#include "common/lbm/cpu/row_costs.hpp"
#include "mpi/lbm/types.hpp"

namespace boltzmark::mpi {

Ranks::Ranks(int nx, std::span<const std::int64_t> costs) : nx_(nx) {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  if (size_ > static_cast<int>(costs.size()))
    throw bad_input("expected at most one rank per row, found {} ranks for {} rows", size_, costs.size());
  starts_ = lbm::partition_rows(costs, size_);
}

int Ranks::fewest_rows() const {
  int fewest = rows(0);
  for (int rank = 1; rank < size_; ++rank) fewest = std::min(fewest, rows(rank));
  return fewest;
}

int Ranks::most_rows() const {
  int most = rows(0);
  for (int rank = 1; rank < size_; ++rank) most = std::max(most, rows(rank));
  return most;
}

void Ranks::add_up(std::span<double> sums) const {
  MPI_Reduce(rank_ == 0 ? MPI_IN_PLACE : sums.data(), sums.data(), static_cast<int>(sums.size()), MPI_DOUBLE,
             MPI_SUM, 0, MPI_COMM_WORLD);
}

void Ranks::gather_field(double* field) const {
  const OwnedType whole_row(nx_, MPI_DOUBLE);  // the number of rows fits an int where that of cells may not
  const MPI_Datatype row = whole_row.type();
  std::vector<int> counts(static_cast<std::size_t>(size_));
  for (int rank = 0; rank < size_; ++rank) counts[rank] = rows(rank);
  if (rank_ == 0)
    MPI_Gatherv(MPI_IN_PLACE, 0, row, field, counts.data(), starts_.data(), row, 0, MPI_COMM_WORLD);
  else
    MPI_Gatherv(field, counts[rank_], row, nullptr, nullptr, nullptr, row, 0, MPI_COMM_WORLD);
}

}  // namespace boltzmark::mpi
