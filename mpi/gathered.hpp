// Blocks of a matrix over ranks, and their way to the root.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <span>
#include <vector>

#include "common/cpu/range.hpp"
#include "mpi/types.hpp"

namespace boltzmark::mpi {

/// Rows and columns of a matrix that a rank has.
struct Block {
  Range rows, columns;
  std::int64_t size() const { return rows.size() * columns.size(); }
};

/// On the root the whole matrix, once all ranks' blocks have come there.
template <class T>
class Gathered {
 public:
  /// row_of(r): row r of this rank's block; block_of(rank).
  template <class RowOf, class BlockOf>
  void gather(std::int64_t rows, std::int64_t columns, RowOf row_of, BlockOf block_of) {
    const int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
    const auto each_row = [](const Block& block, auto&& use) {
      const auto count = static_cast<int>(block.columns.size());  // a row a message: no count beyond an int
      for (std::int64_t row = 0; row < block.rows.size() && count > 0; ++row) use(row, count);
    };
    if (rank != 0)
      return each_row(block_of(rank), [&](std::int64_t row, int count) {
        MPI_Send(row_of(row), count, value_type<T>(), 0, 0, MPI_COMM_WORLD);
      });
    columns_ = columns;
    whole_.resize(static_cast<std::size_t>(rows * columns));
    for (int from = 0; from < ranks; ++from) {
      const Block block = block_of(from);
      each_row(block, [&](std::int64_t row, int count) {
        T* const to = whole_.data() + (block.rows.begin + row) * columns_ + block.columns.begin;
        if (from == 0)
          std::copy_n(row_of(row), count, to);
        else
          MPI_Recv(to, count, value_type<T>(), from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      });
    }
  }

  void read(std::int64_t row, std::span<double> values) const {
    const T* const from = whole_.data() + row * columns_;
    std::copy(from, from + values.size(), values.begin());
  }

 private:
  std::vector<T> whole_;
  std::int64_t columns_ = 0;
};

}  // namespace boltzmark::mpi
