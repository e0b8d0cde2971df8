#include "analysis/peaks/mpi/places.hpp"

#include <fmt/core.h>
#include <sched.h>

#include <fstream>
#include <set>

#include "mpi/neighbours.hpp"

namespace boltzmark {
namespace {

/// The socket of the processor that this rank is on; launchers bind ranks within one.
int socket_here() {
  int socket = 0;
  std::ifstream(fmt::format("/sys/devices/system/cpu/cpu{}/topology/physical_package_id", sched_getcpu())) >> socket;
  return socket;
}

/// The first rank on each node names it.
int node_here() {
  MPI_Comm node;
  int first = mpi::rank_in(MPI_COMM_WORLD);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, first, MPI_INFO_NULL, &node);
  MPI_Bcast(&first, 1, MPI_INT, 0, node);
  MPI_Comm_free(&node);
  return first;
}

}  // namespace

PlacesOfRanks::PlacesOfRanks() : rank_(mpi::rank_in(MPI_COMM_WORLD)) {
  seats_.resize(static_cast<std::size_t>(mpi::size_of(MPI_COMM_WORLD)));
  const Seat mine = {node_here(), socket_here()};
  MPI_Allgather(&mine, sizeof mine, MPI_BYTE, seats_.data(), sizeof mine, MPI_BYTE, MPI_COMM_WORLD);
  for (const Place place : every_place) pairs_[static_cast<std::size_t>(place)] = pairs_at(place, seats_);
}

int PlacesOfRanks::hosts() const {
  std::set<int> nodes;
  for (const Seat& seat : seats_) nodes.insert(seat.node);
  return static_cast<int>(nodes.size());
}

std::pair<int, int> PlacesOfRanks::partner(Place place) const {
  const auto& pairs = pairs_[static_cast<std::size_t>(place)];
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].first == rank_) return {pairs[i].second, static_cast<int>(i)};
    if (pairs[i].second == rank_) return {pairs[i].first, static_cast<int>(i)};
  }
  return {-1, -1};
}

}  // namespace boltzmark
