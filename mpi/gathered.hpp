// Gathers a matrix that is divided into blocks over ranks.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <span>
#include <vector>

#include "common/cpu/range.hpp"
#include "mpi/types.hpp"
#include "mpi/workers.hpp"

namespace boltzmark::mpi {

/// Gathers a matrix in blocks into `whole` on rank 0, row by row. block_of(rank): that rank's block, the last one's
/// with the last row and column; row_of_mine(row): a row of this rank's block, valid until the next call. Collective.
template <class T, class BlockOf, class RowOfMine>
void gather_blocks(const BlockOf& block_of, const RowOfMine& row_of_mine, std::vector<T>& whole) {
  const int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  const auto each_row = [](const Block& block, auto&& use) {
    const auto count = static_cast<int>(block.columns.size());  // one message per row, so counts fit in an int
    for (std::int64_t row = 0; row < block.rows.size() && count > 0; ++row) use(row, count);
  };
  if (rank != 0)
    return each_row(block_of(rank), [&](std::int64_t row, int count) {
      MPI_Send(row_of_mine(row), count, value_type<T>(), 0, 0, MPI_COMM_WORLD);
    });
  const Block last = block_of(ranks - 1);
  const std::int64_t columns = last.columns.end;
  whole.resize(static_cast<std::size_t>(last.rows.end * columns));
  for (int from = 0; from < ranks; ++from) {
    const Block block = block_of(from);
    each_row(block, [&](std::int64_t row, int count) {
      T* const to = whole.data() + (block.rows.begin + row) * columns + block.columns.begin;
      if (from == 0)
        std::copy_n(row_of_mine(row), count, to);
      else
        MPI_Recv(to, count, value_type<T>(), from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    });
  }
}

}  // namespace boltzmark::mpi
