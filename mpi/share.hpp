// A rank's share of a workload in common/target's layer, and its communication with the other ranks.
#pragma once

#include <mpi.h>

#include <ranges>
#include <vector>

#include "common/target/share.hpp"
#include "mpi/neighbours.hpp"
#include "mpi/team.hpp"
#include "mpi/types.hpp"
#include "mpi/workers.hpp"

namespace boltzmark::mpi {

/// Some values of a whole layer, or of a row of a plane; its address is that of the first site.
inline OwnedType layer_type(const target::Lattice& lattice, unsigned long values, int value_bytes) {
  std::vector<MPI_Aint> at;
  for (int v = 0; v < 64; ++v)
    if (values >> v & 1) at.push_back(v * lattice.stride() * value_bytes);
  MPI_Datatype type;
  MPI_Type_create_hindexed_block(static_cast<int>(at.size()),
                                 lattice.is_plane() ? lattice.row_pitch() : lattice.layer_pitch(), at.data(),
                                 value_bytes == 8 ? MPI_DOUBLE : MPI_FLOAT, &type);
  return OwnedType(type);
}

/// Values sent up fill the first layer of the rank above, those sent down the last one of the rank below.
inline void exchange_layers(int rank, int ranks, int value_bytes, void* field, const target::Lattice& lattice,
                            unsigned long up, unsigned long down) {
  const int below = (rank + ranks - 1) % ranks, above = (rank + 1) % ranks;
  const int layers = lattice.is_plane() ? lattice.ny() : lattice.nz();
  const auto layer = [&](int at) {
    const int site = lattice.is_plane() ? lattice.site(-1, at, 0) : lattice.site(-1, -1, at);
    return static_cast<char*>(field) + std::ptrdiff_t{site} * value_bytes;
  };
  const OwnedType going_up = layer_type(lattice, up, value_bytes), going_down = layer_type(lattice, down, value_bytes);
  MPI_Sendrecv(layer(layers - 1), 1, going_up.type(), above, 0, layer(-1), 1, going_up.type(), below, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(layer(0), 1, going_down.type(), below, 1, layer(layers), 1, going_down.type(), above, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

inline std::vector<double> collect_on_root(int rank, int ranks, const std::vector<double>& mine) {
  std::vector<double> all;
  if (rank != 0) {
    MPI_Send(mine.data(), static_cast<int>(mine.size()), MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
    return all;
  }
  all = mine;
  for (int other = 1; other < ranks; ++other) {
    MPI_Status status;
    int count = 0;
    MPI_Probe(other, 2, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    const std::size_t before = all.size();
    all.resize(before + static_cast<std::size_t>(count));
    MPI_Recv(all.data() + before, count, MPI_DOUBLE, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return all;
}

inline target::Share share_of_rank(Precision precision) {
  target::Share share;
  MPI_Comm_rank(MPI_COMM_WORLD, &share.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &share.ranks);
  const int rank = share.rank, ranks = share.ranks, value_bytes = bytes_of(precision);
  share.join = [](target::Reduce reduce, double mine) {
    const MPI_Op op = reduce == target::Reduce::sum ? MPI_SUM : reduce == target::Reduce::least ? MPI_MIN : MPI_MAX;
    return over_ranks(mine, op);
  };
  share.collect = [=](const std::vector<double>& mine) { return collect_on_root(rank, ranks, mine); };
  if (ranks > 1)
    share.exchange = [=](void* field, const target::Lattice& lattice, unsigned long up, unsigned long down) {
      exchange_layers(rank, ranks, value_bytes, field, lattice, up, down);
    };
  if (ranks > 1)
    share.complete = [share, value = value_bytes == 8 ? MPI_DOUBLE : MPI_FLOAT](void* array, std::int64_t count) {
      std::vector<int> counts, starts;
      for (target::Share each = share; const int of : std::views::iota(0, share.ranks)) {
        each.rank = of;
        starts.push_back(static_cast<int>(each.begin(count)));
        counts.push_back(static_cast<int>(each.end(count)) - starts.back());
      }
      MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, array, counts.data(), starts.data(), value, MPI_COMM_WORLD);
    };
  share.shortage = [=](double bytes, double) { return shortage_of_ranks(static_cast<std::uint64_t>(bytes / ranks)); };
  share.driver = library_version();
  return share;
}

}  // namespace boltzmark::mpi
