// One grid that is updated in place (the AA pattern), in two and three dimensions: what the in-place and wavefront
// variants of the CPU models share. row_update.hpp and plane_row_update.hpp update a row; a model decides which rows a
// thread or rank updates, and when (sweeps.hpp).
//
//   one row:     | vector 0 | vector 1 | ... | vector n-1 | padding |
//   one vector:  | f0 of V cells | f1 of the same cells | ... | f8 |        f18 in three dimensions
//   its cells:   columns i, n+i, 2n+i ... for vector i of n: lane l has columns l*n .. l*n+n-1
//
// With columns spread over the lanes like this a vector's eastern neighbours are the next vector, lane for lane, so
// that every access is one aligned vector. Past the ends of a row lane l continues in lane l+1: a rotation by one lane,
// the periodic edge included.
//
//   even step    reads and writes populations of x-1, x, x+1 in this row and its neighbours: rows y-1, y, y+1, in three
//                dimensions those of planes z-1, z, z+1
//   odd step     reads and writes the populations of the cell itself
//
// One grid instead of two is half the memory, and no cell touches what another one reads or writes in a step.
//
// If the width is not a multiple of V, the last columns of the last lanes are beyond it and count as solid. An even
// step needs the periodic neighbours of the first and the last column there: these ghosts are filled before the row
// update and copied back to the boundary columns after it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <type_traits>
#include <vector>

#include "common/cpu/aligned.hpp"
#include "common/lbm/cpu/layer_part.hpp"
#include "common/lbm/cpu/row_kernels.hpp"
#include "common/lbm/cpu/vector_row.hpp"
#include "common/lbm/macroscopic.hpp"
#include "common/lbm/problem.hpp"
#include "common/lbm/relaxation.hpp"
#include "common/lbm/start_state.hpp"

namespace boltzmark::lbm {

/// Layers first .. first+layers-1 of a problem: rows, in three dimensions planes of rows. Without halo layers the grid
/// is periodic: layer -1 is layer layers-1. With them layers -halo .. -1 and layers .. layers+halo-1 hold copies of the
/// neighbours' layers and can be updated like the grid's own.
template <class T, class L>
class InPlaceGrid {
  static constexpr bool is_flat = L::dimension == 2;

 public:
  InPlaceGrid(const Problem& problem, int first, int layers, int halo, const RowKernels<T, L>& kernels,
              const GridMemory<T>& memory = {})
      : InPlaceGrid(problem, first, layers, halo, whole_layer(problem.parameters), kernels, memory) {}
  InPlaceGrid(const Problem& problem, int first, int layers, int halo, const LayerPart& part,
              const RowKernels<T, L>& kernels, const GridMemory<T>& memory = {});

  int layers() const { return layers_; }
  /// Rows of a layer and columns of a row, those of a frame included.
  int rows() const { return part_.rows(); }
  int columns() const { return part_.columns(); }
  /// Vectors in a row, and cells in a vector.
  int vectors() const { return vectors_; }
  int vvl() const { return kernels_.lanes; }
  /// Bytes from one row to the next, and from one layer.
  std::size_t row_bytes() const { return layout_.pitch * sizeof(T); }
  std::size_t layer_bytes() const { return layout_.plane_pitch * sizeof(T); }
  /// What the sums of speeds are in units of.
  double speed_unit() const { return static_cast<double>(relaxation_.speed_unit); }

  /// First value of row y of a layer; both may be one beyond the ends.
  T* row(int y, int layer) {
    const auto at = static_cast<std::size_t>(halo_ > 0 ? layer + halo_ : wrapped(layer, layers_));
    if constexpr (is_flat) return values_ + at * layout_.pitch;
    return values_ + at * layout_.plane_pitch + static_cast<std::size_t>(wrapped(y, rows())) * layout_.pitch;
  }
  /// Place of direction i of column x in its row.
  std::size_t place(int i, int x) const { return layout_.columns.place(i, x); }

  /// Sets layers begin .. end-1 to the start state, the body force of the first step included; every later one is part
  /// of the update before it. By the thread that will update them: memory is near the thread that touches it first.
  void init_layers(int begin, int end) {
    for (int layer = begin; layer < end; ++layer)
      for (int y = 0; y < rows(); ++y) init_row(y, layer);
  }
  /// The same for rows begin .. end-1 of every layer.
  void init_rows(int begin, int end) {
    for (int layer = -halo_; layer < layers_ + halo_; ++layer)
      for (int y = begin; y < end; ++y) init_row(y, layer);
  }

  /// Time step `step` (from 0) of a layer: propagate, rebound, collide, and unless this is the last step the body force
  /// of the next. The layer and its neighbours must have done step-1. Returns the sum of the speeds of its fluid cells.
  /// In a sweep of `depth` steps each prefetches its part of the plane that the first one needs two planes further on.
  double update_layer(int layer, int step, bool last_step, int depth = 1) {
    if constexpr (is_flat) {
      const RowFacts& facts = facts_[index(0, layer)];
      return facts.all_solid ? 0.0 : update(facts.job, step, facts.driven && !last_step);
    } else {
      const int level = step % depth, ahead = layer + level + 2;
      const bool is_here = ahead < layers_ + halo_;
      const int next = layer + 1 < layers_ + halo_ ? layer + 1 : layer;
      return update_in_turn(*this, 0, rows(), layer, step, last_step,
                            {.next_y = 0,
                             .next_z = next,
                             .later_z = is_here ? ahead : 0,
                             .part = is_here && depth > 1 ? level : 0,
                             .parts = is_here && depth > 1 ? depth : 0},
                            0);
    }
  }

  /// The same of one row, counted through all layers.
  double update_row(int number, int step, bool last_step) {
    if constexpr (is_flat) {
      return update_layer(number, step, last_step);
    } else {
      const int next = std::min(number + rows_ahead(), rows() * layers_ - 1);
      return update_rows(number % rows(), 1, number / rows(), step, last_step,
                         {.next_y = next % rows(), .next_z = next / rows()});
    }
  }

  /// The same of `count` rows of plane z from row y on, in three dimensions. `ahead` is prefetched.
  double update_rows(int y, int count, int z, int step, bool last_step, RowsAhead ahead) requires(L::dimension == 3) {
    double sum = 0.0;
    for (const int end = y + count; y < end;) {
      const std::int32_t run = facts_[index(y, z)];
      const int together = std::min(std::min(std::abs(run), end - y), ghosts_.empty() ? rows() : rows_ahead_);
      if (run > 0) sum += update_run(y, together, z, step, y == driven_row_ && !last_step, ahead);
      if (!pushes_.empty())
        for (int row = y; row < y + together; ++row) push(row, z, step);
      y += together, ahead.next_y += together, ahead.later_y += together;
    }
    return sum;
  }
  /// How many rows ahead to prefetch.
  int rows_ahead() const { return rows_ahead_; }

  /// Writes density and velocity of the grid's cells after `steps` steps, row after row. With halo layers and an odd
  /// number of steps those next to the grid must be up to date.
  void collect(int steps, Fields fields);

 private:
  /// What is known of a row beforehand: in two dimensions its job, in three an entry of plane_runs().
  struct RowFacts2d {
    RowJob<T, L> job;
    bool all_solid, driven;
    std::vector<std::int32_t> runs;  ///< of the job
  };
  using RowFacts = std::conditional_t<is_flat, RowFacts2d, std::int32_t>;

  std::size_t index(int y, int layer) const {
    const auto at = static_cast<std::size_t>(halo_ > 0 ? layer + halo_ : wrapped(layer, layers_));
    return is_flat ? at : at * static_cast<std::size_t>(rows()) + static_cast<std::size_t>(y);
  }
  /// The number of a layer in the problem.
  int grid_layer(int layer) const {
    const int count = problem_.parameters.layers();
    return ((first_ + layer) % count + count) % count;
  }
  bool is_driven(int y, int layer) const {
    return is_flat ? grid_layer(layer) == problem_.parameters.driven_row() : y == driven_row_;
  }
  const std::uint32_t* solid_of(int y, int layer) const { return solid_.data() + index(y, layer) * vectors_; }
  /// Where an even step leaves direction i of a cell: where the next, odd one of the cell that it moves to reads it.
  T& moved(int i, int x, int y, int layer) {
    T* const to = is_flat ? row(0, layer + L::cy[i]) : row(y + L::cy[i], layer + L::cz[i]);
    return to[place(L::opposite[i], wrapped(x + L::cx[i], columns()))];
  }

  /// Updates the rows of a job.
  double update(const RowJob<T, L>& job, int step, bool driven) const {
    if (step % 2 != 0) return kernels_.from_own[driven](job, relaxation_);
    if (ghosts_.empty()) return kernels_.from_neighbours[driven](job, relaxation_);
    const int ghosts = static_cast<int>(ghosts_.size());
    fill_ghosts(job, ghosts_.data(), ghosts);
    const double sum = kernels_.from_neighbours[driven](job, relaxation_);
    copy_boundary_columns(job, ghosts_.data(), ghosts);
    return sum;
  }
  /// update_rows() of rows that may be one job.
  double update_run(int y, int count, int z, int step, bool driven, const RowsAhead& ahead) requires(L::dimension == 3);

  void find_facts(int layer);
  void init_row(int y, int layer);
  /// Adds what moving walls in a row give to the populations that leave them.
  void push(int y, int layer, int step);

  const Problem& problem_;
  const RowKernels<T, L>& kernels_;
  LayerPart part_;
  int first_, layers_, halo_;
  int driven_row_ = -1;  ///< of every plane, in three dimensions
  GridLayout<L> layout_;
  int vectors_, rows_ahead_;
  Relaxation<T, L> relaxation_;
  AlignedArray<T> grid_;  ///< empty if the grid is in memory of another's
  T* values_;
  AlignedArray<std::uint32_t> solid_;  ///< one bit per cell, one word per vector
  std::vector<RowFacts> facts_;
  std::vector<RowGhost> ghosts_;  ///< empty if the width is a multiple of the lanes
  std::vector<WallPush> pushes_;
};

}  // namespace boltzmark::lbm
