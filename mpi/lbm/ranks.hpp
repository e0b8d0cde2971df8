// How a grid's layers (rows, or planes in three dimensions) are divided over the ranks, and how what each has comes
// together on rank 0.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

#include "common/lbm/problem.hpp"
#include "mpi/lbm/exchange.hpp"

namespace boltzmark::mpi {

/// Throws Error (bad_input) when there are more ranks than rows or planes.
void expect_layers(const lbm::Parameters& parameters, int ranks);

/// Adds up all ranks' numbers, one per time step, on rank 0 of a communicator.
void add_up_ranks(std::span<double> sums, MPI_Comm comm = MPI_COMM_WORLD);

/// One contiguous strip of layers per rank, all of about equal cost; the ring of ranks is periodic.
class Ranks {
 public:
  /// `costs`: of every layer of the problem's grid. Throws Error (bad_input) when there are more ranks than layers.
  Ranks(const lbm::Parameters& parameters, std::span<const std::int64_t> costs);

  int size() const { return size_; }
  bool is_root() const { return rank_ == 0; }
  RankPair neighbours() const { return {MPI_COMM_WORLD, (rank_ + size_ - 1) % size_, (rank_ + 1) % size_}; }
  /// This rank's strip.
  int first_layer() const { return starts_[rank_]; }
  int layers() const { return layers(rank_); }
  std::int64_t cells() const { return layers() * p_.layer_cells(); }
  /// Of the shortest strip and of the longest.
  int fewest_layers() const;
  int most_layers() const;

  /// Joins a field of all strips on rank 0, where `field` is of the whole grid and begins with its own strip.
  void gather_field(double* field) const;

 private:
  int layers(int rank) const { return starts_[rank + 1] - starts_[rank]; }

  lbm::Parameters p_;
  int rank_ = 0, size_ = 1;
  std::vector<int> starts_;  ///< of the strips, and behind them the number of layers
};

}  // namespace boltzmark::mpi
