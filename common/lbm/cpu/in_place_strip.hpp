// One grid of a strip of rows that is updated in place (the AA pattern): what the in-place and wavefront
// variants of the CPU models share. row_update.hpp updates a row; a model decides which rows a thread or rank
// visits, and when (wavefront.hpp).
//
//   one row:     | vector 0 | vector 1 | ... | vector n-1 | padding |
//   one vector:  | f0 of V cells | f1 of the same cells | ... | f8 |
//   its cells:   columns i, n+i, 2n+i ... for vector i of n: lane l has columns l*n .. l*n+n-1
//
// With columns spread over the lanes like this a vector's eastern neighbours are the next vector, lane for
// lane, so that every access is one aligned vector. Only at the row's ends do lanes continue one another, and
// a rotation by one lane does that, the periodic edge included.
//
//   even step    reads and writes populations of x-1, x, x+1 in rows y-1, y, y+1: a cell and its neighbours
//   odd step     reads and writes the nine populations of x, y itself
//
// One grid instead of two is half the memory, and no cell touches what another one reads or writes in a step.
//
// Where the width is not a multiple of V the last columns of the last lanes lie beyond nx. They count as solid. An even
// step needs the periodic neighbours of columns 0 and nx-1 there: these ghosts are filled before the row update and
// copied back to the boundary columns after it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/cpu/aligned.hpp"
#include "common/lbm/cpu/lane_row.hpp"
#include "common/lbm/cpu/row_kernels.hpp"
#include "common/lbm/lattice.hpp"
#include "common/lbm/macroscopic.hpp"
#include "common/lbm/problem.hpp"
#include "common/lbm/relaxation.hpp"

namespace boltzmark::lbm {

/// Rows first_row .. first_row+rows-1 of a problem. Without halo rows the strip is the whole grid and row -1
/// is row rows-1; with them rows -halo_rows .. -1 and rows .. rows+halo_rows-1 are memory of their own, which
/// hold copies of the neighbours' rows and can be updated like the strip's own.
template <class T>
class InPlaceStrip {
 public:
  InPlaceStrip(const Problem& problem, int first_row, int rows, int halo_rows, const RowKernels<T>& kernels,
               const GridMemory<T>& memory = {});

  int rows() const { return rows_; }
  int lanes() const { return kernels_.lanes; }
  /// Vectors in a row.
  int vectors() const { return static_cast<int>(vectors_); }
  /// Values from one row to the next.
  std::size_t pitch() const { return pitch_; }
  /// What the sums of update_row() are in units of.
  double speed_unit() const { return static_cast<double>(relaxation_.speed_unit); }

  /// Sets rows begin .. end-1 to the start state, the body force of the first step included; every later one
  /// is part of the update before it. Call it from the thread that will update them: memory comes into being
  /// where it is first touched.
  void init_rows(int begin, int end);
  /// For rows that another process sets, in memory that both share, and that this one updates later. Rows from rows() on
  /// are those from 0 on.
  void know_rows(int begin, int end);

  /// Time step `step` (from 0) of row y: propagate, rebound, collide, and unless this is the last step the
  /// body force of the next. Rows y-1, y and y+1 must have done step-1. Returns the sum of the speeds of the
  /// row's fluid cells in units of speed_unit().
  double update_row(int y, int step, bool last_step) {
    const Row& facts = row_facts_[index(y)];
    if (facts.all_solid) return 0.0;
    const bool driven = facts.driven && !last_step;
    if (step % 2 != 0) return kernels_.from_own[driven](facts.job, relaxation_);
    if (ghosts_.empty()) return kernels_.from_neighbours[driven](facts.job, relaxation_);
    const int ghosts = static_cast<int>(ghosts_.size());
    fill_ghosts(facts.job, ghosts_.data(), ghosts);
    const double sum = kernels_.from_neighbours[driven](facts.job, relaxation_);
    copy_boundary_columns(facts.job, ghosts_.data(), ghosts);
    return sum;
  }

  /// First value of row y.
  T* row(int y) { return values_ + index(y) * pitch_; }

  /// Writes density and velocity of the strip's cells after `steps` steps, row after row. With halo rows and
  /// an odd number of steps the rows beside the strip must be up to date.
  void collect(int steps, Fields fields);

 private:
  /// What is known of a row beforehand.
  struct Row {
    RowJob<T> job;
    bool all_solid, driven;
    std::vector<std::int32_t> stretches;  ///< of the job
  };

  /// Position of row y in memory.
  std::size_t index(int y) const {
    if (halo_rows_ > 0) return static_cast<std::size_t>(y + halo_rows_);
    return static_cast<std::size_t>(y < 0 ? y + rows_ : y >= rows_ ? y - rows_ : y);
  }
  void init_facts(int y, std::span<const std::uint8_t> mask);
  void accelerate_start(int y);

  const Problem& problem_;
  const RowKernels<T>& kernels_;
  int first_row_, rows_, halo_rows_, nx_;
  LaneRow columns_;
  std::size_t vectors_;  ///< in a row
  std::size_t pitch_;
  Relaxation<T> relaxation_;
  AlignedArray<T> grid_;  ///< empty where the grid lies elsewhere
  T* values_;
  AlignedArray<std::uint32_t> solid_;  ///< one bit per cell, one word per vector
  std::vector<Row> row_facts_;
  std::vector<LaneGhost> ghosts_;  ///< empty where the width is a multiple of the lanes
};

}  // namespace boltzmark::lbm
