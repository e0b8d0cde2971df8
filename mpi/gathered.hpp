// A matrix in blocks over ranks, and its way to the root.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <span>
#include <vector>

#include "common/cpu/range.hpp"
#include "mpi/on_ranks.hpp"
#include "mpi/types.hpp"

namespace boltzmark::mpi {

/// Ranks whose result is a matrix of T, a block on each; collect() brings the whole to the root, and read() gives a row
/// of it.
template <class T, class Host>
class GatheredRanks : public OnRanks<Host> {
 public:
  using OnRanks<Host>::OnRanks;

  void collect() override {
    const auto each_row = [](const Block& block, auto&& use) {
      const auto count = static_cast<int>(block.columns.size());  // a row a message: no count beyond an int
      for (std::int64_t row = 0; row < block.rows.size() && count > 0; ++row) use(row, count);
    };
    if (this->rank_ != 0)
      return each_row(block_of(this->rank_), [&](std::int64_t row, int count) {
        MPI_Send(row_of_mine(row), count, value_type<T>(), 0, 0, MPI_COMM_WORLD);
      });
    const Block last = block_of(this->ranks_ - 1);
    columns_ = last.columns.end;
    whole_.resize(static_cast<std::size_t>(last.rows.end * columns_));
    for (int from = 0; from < this->ranks_; ++from) {
      const Block block = block_of(from);
      each_row(block, [&](std::int64_t row, int count) {
        T* const to = whole_.data() + (block.rows.begin + row) * columns_ + block.columns.begin;
        if (from == 0)
          std::copy_n(row_of_mine(row), count, to);
        else
          MPI_Recv(to, count, value_type<T>(), from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      });
    }
  }

  void read(std::int64_t row, std::span<double> values) const override {
    std::copy_n(whole_.data() + row * columns_, values.size(), values.begin());
  }

 protected:
  /// Of the matrix, the last rank's with its last row and column.
  virtual Block block_of(int rank) const = 0;
  /// Row `row` of this rank's block.
  virtual const T* row_of_mine(std::int64_t row) const = 0;

 private:
  std::vector<T> whole_;
  std::int64_t columns_ = 0;
};

}  // namespace boltzmark::mpi
