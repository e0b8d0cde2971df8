// Which cells a thread of a region updates.
#pragma once

#include <cstdint>

#include "openmp_target/runtime/team.hpp"

namespace boltzmark::openmp_target {

#pragma omp begin declare target

/// The cells that this thread updates, stretch by stretch, each within a row: single cells on a GPU, whole
/// rows on a processor. A team of a GPU has `team_cells` cells in row-by-row order, over which its threads
/// stride; a processor is one team, which has all.
class CellRange {
 public:
  int row;  ///< of the stretch, counted through all planes

  KERNEL_FN CellRange(int nx, int rows, std::uint32_t team_cells) : nx_(nx) {
    const int threads = omp_get_num_threads(), thread = omp_get_thread_num();
    if (Image::is_gpu) {
      const std::uint32_t first = omp_get_team_num() * team_cells, cells = std::uint32_t(nx) * rows;
      cell_ = first + thread;
      end_ = first + team_cells < cells ? first + team_cells : cells;
      row = int(cell_ / std::uint32_t(nx));
      x_ = int(cell_ % std::uint32_t(nx));
      step_ = threads;
    } else {
      row = int(std::int64_t{rows} * thread / threads);
      end_ = std::uint32_t(std::int64_t{rows} * (thread + 1) / threads);
    }
  }
  KERNEL_FN bool inside() const { return Image::is_gpu ? cell_ < end_ : std::uint32_t(row) < end_; }
  KERNEL_FN void next() {
    if (Image::is_gpu) {
      cell_ += step_;
      x_ += step_;
      if (x_ >= nx_) {
        const int rows = int(std::uint32_t(x_) / std::uint32_t(nx_));
        row += rows;
        x_ -= rows * nx_;
      }
    } else {
      ++row;
    }
  }
  /// The same where each thread of a GPU has one cell only: the launch has as many threads as there are
  /// cells.
  KERNEL_FN void next_row() {
    if (Image::is_gpu)
      end_ = 0;
    else
      ++row;
  }
  /// First column of the stretch, and the one past its last.
  KERNEL_FN int begin() const { return Image::is_gpu ? x_ : 0; }
  KERNEL_FN int end() const { return Image::is_gpu ? x_ + 1 : nx_; }

 private:
  int nx_, x_ = 0, step_ = 0;
  std::uint32_t cell_ = 0, end_;  ///< on a processor: the row past its last
};

#pragma omp end declare target

}  // namespace boltzmark::openmp_target
