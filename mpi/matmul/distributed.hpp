// Blocks of matrices over ranks: who has which, and C on its way to the root.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <vector>

#include "common/cpu/range.hpp"
#include "common/matmul/multiplier.hpp"
#include "mpi/on_ranks.hpp"
#include "mpi/types.hpp"

namespace boltzmark::mpi {
using namespace matmul;

/// Part `number` of `parts` equal ones.
inline Range part_of(std::int64_t whole, int number, int parts) {
  return {whole * number / parts, whole * (number + 1) / parts};
}

/// Rows and columns of a matrix that a rank has.
struct Block {
  Range rows, columns;
  std::int64_t size() const { return rows.size() * columns.size(); }
};

/// What C has on the root after all ranks' blocks have come there. `block_of(rank)` is of C.
template <class T>
class GatheredC {
 public:
  template <class BlockOf>
  void gather(const Shape& shape, const T* mine, BlockOf block_of) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    columns_ = shape.n;
    if (rank != 0) return send(mine, block_of(rank));
    c_.resize(static_cast<std::size_t>(shape.m * shape.n));
    const Block own = block_of(0);
    for (std::int64_t row = 0; row < own.rows.size(); ++row)
      std::copy_n(mine + row * own.columns.size(), own.columns.size(),
                  c_.data() + (own.rows.begin + row) * columns_ + own.columns.begin);
    for (int other = 1; other < ranks; ++other) receive(block_of(other), other);
  }

  void read(std::int64_t row, std::span<double> values) const {
    const T* const from = c_.data() + row * columns_;
    std::copy(from, from + values.size(), values.begin());
  }

 private:
  /// A row a message: rows of any length, and no count beyond an int.
  static void send(const T* mine, const Block& block) {
    const auto columns = static_cast<int>(block.columns.size());
    for (std::int64_t row = 0; row < block.rows.size() && columns > 0; ++row)
      MPI_Send(mine + row * columns, columns, value_type<T>(), 0, 0, MPI_COMM_WORLD);
  }
  void receive(const Block& block, int from) {
    const auto columns = static_cast<int>(block.columns.size());
    for (std::int64_t row = block.rows.begin; row < block.rows.end && columns > 0; ++row)
      MPI_Recv(c_.data() + row * columns_ + block.columns.begin, columns, value_type<T>(), from, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  }

  std::vector<T> c_;
  std::int64_t columns_ = 0;
};

}  // namespace boltzmark::mpi
