// One grid that is updated in place (the AA pattern), in two and three dimensions: the basis of the in-place and
// wavefront variants of the CPU models. row_update.hpp and plane_row_update.hpp update a row; a model decides which
// rows a thread or rank updates, and when (sweeps.hpp).
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
// One grid instead of two takes half the memory, and in a step no cell touches values that another one reads or writes.
//
// If the width is not a multiple of V, the last columns of the last lanes are beyond it and count as solid. An even
// step needs the periodic neighbours of the first and the last column there: these ghosts are filled before the row
// update and copied back to the boundary columns after it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <type_traits>
#include <vector>

#include "common/cpu/aligned.hpp"
#include "common/cpu/memory.hpp"
#include "common/lbm/cpu/layer_part.hpp"
#include "common/lbm/cpu/row_kernels.hpp"
#include "common/lbm/cpu/vector_row.hpp"
#include "common/lbm/macroscopic.hpp"
#include "common/lbm/problem.hpp"

namespace boltzmark::lbm {

/// A GridPart in one grid, whose halo layers can be updated like its own. Kernels: RowKernels, or a type like it where
/// functions cannot be called by pointer.
template <class T, class L, class Kernels = RowKernels<T, L>>
class InPlaceGrid : public GridPart<T, L> {
  using Base = GridPart<T, L>;
  using Base::is_flat;

 public:
  using Base::rows, Base::columns;

  InPlaceGrid(const Problem& problem, int first, int layers, int halo, const Kernels& kernels,
              const GridMemory<T>& memory = {})
      : InPlaceGrid(problem, first, layers, halo, whole_layer(problem.parameters), kernels, memory) {}
  InPlaceGrid(const Problem& problem, int first, int layers, int halo, const LayerPart& part, const Kernels& kernels,
              const GridMemory<T>& memory = {});

  /// Vectors in a row, and cells in a vector.
  int vectors() const { return vectors_; }
  int vvl() const { return kernels_.lanes; }
  /// Bytes from one row to the next, and from one layer.
  std::size_t row_bytes() const { return layout_.pitch * sizeof(T); }
  std::size_t layer_bytes() const { return layout_.plane_pitch * sizeof(T); }
  /// Unit of the sums of speeds.
  double speed_unit() const { return static_cast<double>(relaxation_.speed_unit); }

  /// First value of row y of a layer; row and layer may be one beyond the ends.
  T* row(int y, int layer) {
    if constexpr (is_flat) return values_ + this->stored(layer) * layout_.pitch;
    return values_ + this->stored(layer) * layout_.plane_pitch +
           static_cast<std::size_t>(wrapped(y, rows())) * layout_.pitch;
  }
  /// Place of direction i of column x in its row.
  std::size_t place(int i, int x) const { return layout_.columns.place(i, x); }

  /// Sets layers begin .. end-1 to the start state, the body force of the first step included; every later one is part
  /// of the update before it. To be called by the thread that will update them, because memory is near the thread that
  /// touches it first.
  void init_layers(int begin, int end);
  /// The same for rows begin .. end-1 of every layer.
  void init_rows(int begin, int end);

  /// Time step `step` (from 0) of a layer: propagate, rebound, collide, and unless this is the last step the body force
  /// of the next. The layer and its neighbours must have done step-1. Returns the sum of the speeds of its fluid cells.
  /// In a sweep of `depth` steps, each step prefetches its part of the plane that the first step needs two planes
  /// later.
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

  /// The same for one row, counted through all layers.
  double update_row(int number, int step, bool last_step) {
    if constexpr (is_flat) {
      return update_layer(number, step, last_step);
    } else {
      const int next = std::min(number + rows_ahead(), rows() * layers_ - 1);
      return update_rows(number % rows(), 1, number / rows(), step, last_step,
                         {.next_y = next % rows(), .next_z = next / rows()});
    }
  }

  /// The same for `count` rows of plane z from row y on, in three dimensions. `ahead` is prefetched.
  double update_rows(int y, int count, int z, int step, bool last_step, RowsAhead ahead) requires(L::dimension == 3) {
    double sum = 0.0;
    for (const int end = y + count; y < end;) {
      const std::int32_t run = facts_[index(y, z)];
      const int together = std::min(std::min(std::abs(run), end - y), ghosts_.empty() ? rows() : rows_ahead_);
      if (run > 0) {
        auto job =
            plane_row_job<T>(y, together, z, layout_, ahead, [this](int of_y, int of_z) { return row(of_y, of_z); });
        job.solid = solid_of(y, z);
        sum += update(job, step, y == driven_row_ && !last_step);
      }
      if (!pushes_.empty())
        for (int row = y; row < y + together; ++row) push(row, z, step);
      y += together, ahead.next_y += together, ahead.later_y += together;
    }
    return sum;
  }
  /// How many rows ahead to prefetch.
  int rows_ahead() const { return rows_ahead_; }

  /// Writes density and velocity of the grid's cells after `steps` steps, row after row. With halo layers and an odd
  /// number of steps, the halo layers next to the grid must be up to date.
  void collect(int steps, Fields fields);

 private:
  using Base::problem_, Base::first_, Base::layers_, Base::halo_, Base::driven_row_, Base::relaxation_, Base::pushes_;

  /// Facts of a row computed beforehand: in two dimensions its job, in three an entry of plane_runs().
  struct RowFacts2d {
    RowJob<T, L> job;
    bool all_solid, driven;
    std::vector<std::int32_t> runs;  ///< of the job
  };
  using RowFacts = std::conditional_t<is_flat, RowFacts2d, std::int32_t>;

  std::size_t index(int y, int layer) const {
    return is_flat ? this->stored(layer)
                   : this->stored(layer) * static_cast<std::size_t>(rows()) + static_cast<std::size_t>(y);
  }
  const std::uint32_t* solid_of(int y, int layer) const { return solid_.data() + index(y, layer) * vectors_; }
  /// Place where an even step stores direction i of a cell: where the next, odd step of the cell to which it moves
  /// reads it.
  T& moved(int i, int x, int y, int layer) {
    constexpr auto opposite = L::opposite, cx = L::cx;  // copies: kernels of SYCL may lack inline variables
    return moved_row(i, y, layer)[place(opposite[i], wrapped(x + cx[i], columns()))];
  }
  T* moved_row(int i, int y, int layer) {
    constexpr auto cy = L::cy, cz = L::cz;
    return is_flat ? row(0, layer + cy[i]) : row(y + cy[i], layer + cz[i]);
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

  void find_facts(int layer);

  void init_row(int y, int layer);

  /// Adds the momentum of moving walls in a row to the populations that leave them.
  void push(int y, int layer, int step) {
    this->each_push_in(y, layer, [&](const WallPush& push, int x) {
      T& left = step % 2 != 0 ? row(y, layer)[place(push.direction, x)] : moved(push.direction, x, y, layer);
      left += static_cast<T>(push.momentum);
    });
  }

  const Kernels& kernels_;
  GridLayout<L> layout_;
  int vectors_, rows_ahead_;
  AlignedArray<T> grid_;  ///< empty if the grid is in memory provided by others
  T* values_;
  AlignedArray<std::uint32_t> solid_;  ///< one bit per cell, one word per vector
  std::vector<RowFacts> facts_;
  std::vector<RowGhost> ghosts_;  ///< empty if the width is a multiple of the lanes
};

template <class T, class L, class Kernels>
InPlaceGrid<T, L, Kernels>::InPlaceGrid(const Problem& problem, int first, int layers, int halo, const LayerPart& part,
                                        const Kernels& kernels, const GridMemory<T>& memory)
    : Base(problem, first, layers, halo, part),
      kernels_(kernels),
      layout_(part.columns(), part.rows(), kernels.lanes, sizeof(T)),
      vectors_(layout_.columns.vectors()),
      rows_ahead_(layout_.rows_ahead(row_bytes())),
      ghosts_(layout_.columns.ghosts()) {
  const std::size_t values = this->stored_layers() * layout_.plane_pitch;
  if (!memory) {
    require_memory("one grid", sizeof(T) * static_cast<double>(values));
    grid_ = AlignedArray<T>(values);
  }
  values_ = memory ? memory(values) : grid_.data();
  const std::size_t all_rows = this->stored_layers() * static_cast<std::size_t>(rows());
  solid_ = AlignedArray<std::uint32_t>(all_rows * static_cast<std::size_t>(vectors_));
  facts_.reserve(all_rows);
  for (int layer = -halo_; layer < layers_ + halo_; ++layer) find_facts(layer);
}

template <class T, class L, class Kernels>
void InPlaceGrid<T, L, Kernels>::init_layers(int begin, int end) {
  for (int layer = begin; layer < end; ++layer)
    for (int y = 0; y < rows(); ++y) init_row(y, layer);
}

template <class T, class L, class Kernels>
void InPlaceGrid<T, L, Kernels>::init_rows(int begin, int end) {
  for (int layer = -halo_; layer < layers_ + halo_; ++layer)
    for (int y = begin; y < end; ++y) init_row(y, layer);
}

template <class T, class L, class Kernels>
void InPlaceGrid<T, L, Kernels>::collect(int steps, Fields fields) {
  const bool has_moved = steps % 2 != 0;
  const std::vector<std::size_t> places = layout_.columns.places();
  const auto lanes = static_cast<std::size_t>(layout_.columns.lanes);
  collect_fields<L>(columns(), layers_ * rows(), problem_.parameters.density, fields, [&](int i, int x, int r) {
    const int y = r % rows(), layer = r / rows();
    return has_moved ? moved_row(i, y, layer)[places[wrapped(x + L::cx[i], columns())] + L::opposite[i] * lanes]
                     : row(y, layer)[places[x] + i * lanes];
  });
}

template <class T, class L, class Kernels>
void InPlaceGrid<T, L, Kernels>::find_facts(int layer) {
  const auto mask = problem_.solid_mask(first_ + layer, 1);
  std::vector<std::uint8_t> solid;
  std::vector<bool> all_solid(static_cast<std::size_t>(rows()));
  for (int y = 0; y < rows(); ++y) {
    this->find_solid(mask, y, solid);
    all_solid[y] = std::ranges::all_of(solid, [](std::uint8_t cell) { return cell != 0; });
    const std::span words(solid_.data() + index(y, layer) * vectors_, static_cast<std::size_t>(vectors_));
    if constexpr (is_flat) {
      layout_.columns.find_solid(solid, words);
      RowFacts& facts = facts_.emplace_back(RowFacts{{}, all_solid[y], this->is_driven(y, layer), vector_runs(words)});
      // The outermost halo rows lack a neighbour; they are read but never updated.
      const bool inner = halo_ == 0 || (layer > -halo_ && layer < layers_ + halo_ - 1);
      facts.job = {.rows = {inner ? row(0, layer - 1) : nullptr, row(0, layer), inner ? row(0, layer + 1) : nullptr},
                   .vectors = vectors_,
                   .solid = words.data(),
                   .runs = facts.runs.data()};
    } else {
      layout_.columns.find_solid(solid, words, RowJob<T, L>::padding_shift);
    }
  }
  if constexpr (!is_flat) {
    const auto runs = plane_runs(rows(), driven_row_, [&](int y) { return all_solid[y]; });
    facts_.insert(facts_.end(), runs.begin(), runs.end());
  }
}

template <class T, class L, class Kernels>
void InPlaceGrid<T, L, Kernels>::init_row(int y, int layer) {
  T* const at = row(y, layer);
  std::fill_n(at, layout_.pitch, T(0));
  if (!this->starts_with_any(y, layer)) return;
  const std::uint32_t* const words = solid_of(y, layer);
  for (int x = 0; x < columns(); ++x) {
    const bool fluid = (words[x % vectors_] >> x / vectors_ & 1u) == 0;
    const auto a = this->start_in(x, y, layer, !fluid);
    for (int i = 0; i < L::directions; ++i) at[place(i, x)] = static_cast<T>(a.f[i]);
  }
}

// Untimed members are compiled once, in grids.cpp.
#define EACH_IN_PLACE_GRID(WORD, T, L)                                                          \
  WORD template InPlaceGrid<T, L>::InPlaceGrid(const Problem&, int, int, int, const LayerPart&, \
                                               const RowKernels<T, L>&, const GridMemory<T>&);  \
  WORD template void InPlaceGrid<T, L>::init_layers(int, int);                                  \
  WORD template void InPlaceGrid<T, L>::init_rows(int, int);                                    \
  WORD template void InPlaceGrid<T, L>::collect(int, Fields);                                   \
  WORD template void InPlaceGrid<T, L>::find_facts(int);                                        \
  WORD template void InPlaceGrid<T, L>::init_row(int, int);
EACH_STORED(EACH_IN_PLACE_GRID, extern)

}  // namespace boltzmark::lbm
