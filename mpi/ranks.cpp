#include "mpi/ranks.hpp"

#include "common/error.hpp"

namespace boltzmark::mpi {

Ranks::Ranks(int nx, int ny) : nx_(nx), ny_(ny) {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  if (size_ > ny_) throw bad_input("expected at most one rank a row, found {} ranks for {} rows", size_, ny_);
}

void Ranks::gather_field(const std::vector<double>& mine, std::vector<double>& whole) const {
  MPI_Datatype row;  // whole rows, whose number fits an int where cells may not
  MPI_Type_contiguous(nx_, MPI_DOUBLE, &row);
  MPI_Type_commit(&row);
  std::vector<int> counts(static_cast<std::size_t>(size_)), starts(counts.size());
  for (int rank = 0; rank < size_; ++rank) {
    starts[rank] = first_row(rank);
    counts[rank] = first_row(rank + 1) - first_row(rank);
  }
  MPI_Gatherv(mine.data(), counts[rank_], row, whole.data(), counts.data(), starts.data(), row, 0,
              MPI_COMM_WORLD);
  MPI_Type_free(&row);
}

}  // namespace boltzmark::mpi
