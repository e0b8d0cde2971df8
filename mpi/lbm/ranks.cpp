#include "mpi/lbm/ranks.hpp"

#include <algorithm>

#include "common/base/error.hpp"
#include "common/lbm/cpu/row_costs.hpp"
#include "mpi/lbm/types.hpp"

namespace boltzmark::mpi {

void add_up_ranks(std::span<double> sums, MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : sums.data(), sums.data(), static_cast<int>(sums.size()), MPI_DOUBLE,
             MPI_SUM, 0, comm);
}

void expect_layers(const lbm::Parameters& parameters, int ranks) {
  if (ranks > parameters.layers())
    throw bad_input("expected at most one rank per {0}, found {1} ranks for {2} {0}s",
                    parameters.dimension == 2 ? "row" : "plane", ranks, parameters.layers());
}

Ranks::Ranks(const lbm::Parameters& parameters, std::span<const std::int64_t> costs) : p_(parameters) {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  expect_layers(p_, size_);
  starts_ = lbm::partition_rows(costs, size_);
}

int Ranks::fewest_layers() const {
  int fewest = layers(0);
  for (int rank = 1; rank < size_; ++rank) fewest = std::min(fewest, layers(rank));
  return fewest;
}

int Ranks::most_layers() const {
  int most = layers(0);
  for (int rank = 1; rank < size_; ++rank) most = std::max(most, layers(rank));
  return most;
}

void Ranks::gather_field(double* field) const {
  // The number of layers, and of rows in one, fits an int where that of cells may not.
  const OwnedType row(p_.nx, MPI_DOUBLE);
  const OwnedType whole_layer(p_.dimension == 2 ? 1 : p_.ny, row.type());
  const MPI_Datatype layer = whole_layer.type();
  std::vector<int> counts(static_cast<std::size_t>(size_));
  for (int rank = 0; rank < size_; ++rank) counts[rank] = layers(rank);
  if (rank_ == 0)
    MPI_Gatherv(MPI_IN_PLACE, 0, layer, field, counts.data(), starts_.data(), layer, 0, MPI_COMM_WORLD);
  else
    MPI_Gatherv(field, counts[rank_], layer, nullptr, nullptr, nullptr, layer, 0, MPI_COMM_WORLD);
}

}  // namespace boltzmark::mpi
