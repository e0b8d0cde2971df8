// Two grids of a strip of rows in structure-of-arrays form, and the fused update of one row: what the fused
// variants of the CPU models share. A model decides which rows a thread or rank visits, and when.
//
//   one row:  | west ghost | f0 of x = 0 .. nx-1 | east ghost, padding |  then the same for f1 .. f8
//
// The nine segments of a row lie behind one another, so a row is one stretch of memory, the populations a
// neighbour rank needs are a few contiguous segments, and x = 0 of each segment stands on a vector boundary.
// The ghost columns hold the periodic neighbours, so every load of a row update is a plain vector load.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "common/cpu/aligned.hpp"
#include "common/cpu/memory.hpp"
#include "common/cpu/simd.hpp"
#include "common/lbm/cpu/speed_sums.hpp"
#include "common/lbm/lattice.hpp"
#include "common/lbm/macroscopic.hpp"
#include "common/lbm/problem.hpp"
#include "common/lbm/relaxation.hpp"

namespace boltzmark::lbm {

/// Rows first_row .. first_row+rows-1 of a problem, in two grids.
/// Without halo rows the strip is the whole grid and row -1 is row rows-1; with them rows -1 and `rows` are
/// memory of their own that the model fills from its neighbours before each step.
template <class T>
class Strip {
 public:
  static constexpr int lanes = native_lanes<T>;
  using Vector = Pack<T, lanes>;

  Strip(const Problem& problem, int first_row, int rows, bool halo_rows)
      : problem_(problem),
        first_row_(first_row),
        rows_(rows),
        halo_(halo_rows),
        blocks_((problem.parameters.nx + lanes - 1) / lanes),
        pitch_(lanes * (blocks_ + 2)),
        row_values_(static_cast<std::size_t>(Lattice::directions) * pitch_),
        relaxation_(make_relaxation<T>(problem.parameters)),
        driven_row_(problem.parameters.driven_row() - first_row) {
    const std::size_t values = row_values_ * static_cast<std::size_t>(rows + (halo_rows ? 2 : 0));
    require_memory("two grids", 2.0 * sizeof(T) * static_cast<double>(values));
    for (auto& grid : grids_) grid = AlignedArray<T>(values);
    solid_.resize(static_cast<std::size_t>(rows) * blocks_);
  }

  int rows() const { return rows_; }
  /// Vectors in a row; the last may reach beyond nx, where cells count as solid.
  int blocks() const { return blocks_; }
  /// Values from one direction's segment to the next.
  int pitch() const { return pitch_; }

  /// Sets rows begin .. end-1 of both grids to the start state. Call it from the thread that will update
  /// them: memory comes into being where it is first touched. The first and last row also do the halo rows
  /// beside them.
  void init_rows(int begin, int end) {
    for (auto& grid : grids_)
      for (int y = begin - (halo_ && begin == 0); y < end + (halo_ && end == rows_); ++y)
        std::fill_n(row(grid, y), row_values_, T(0));
    const auto mask = problem_.solid_mask(first_row_ + begin, end - begin);
    const int nx = problem_.parameters.nx;
    for (int y = begin; y < end; ++y)
      for (int block = 0; block < blocks_; ++block) {
        std::uint32_t bits = 0;
        for (int lane = 0; lane < lanes; ++lane) {
          const int x = block * lanes + lane;
          if (x >= nx || mask[static_cast<std::size_t>(y - begin) * nx + x]) bits |= 1u << lane;
        }
        solid_[static_cast<std::size_t>(y) * blocks_ + block] = bits;
      }
  }

  /// The body force of the first step; every later one is part of the update before it. By the thread that
  /// has the row.
  void accelerate_start() {
    if (driven_row_ < 0 || driven_row_ >= rows_) return;
    T* const at = row(grids_[0], driven_row_) + lanes;
    for (int block = 0; block < blocks_; ++block) {
      Populations<Vector> a;
      for (int i = 0; i < Lattice::directions; ++i) a.f[i] = Vector::load(at + i * pitch_ + block * lanes);
      a = accelerate(a, ~solid_lanes(driven_row_, block), relaxation_);
      for (int i = 0; i < Lattice::directions; ++i) a.f[i].store(at + i * pitch_ + block * lanes);
    }
    fill_ghost_columns(at);
  }

  /// Time step `step` (from 0) of rows begin .. end-1: propagate, rebound, collide, and unless this is the
  /// last step the body force of the next. Reads grid step % 2 and writes the other. Returns the sum of |u|
  /// over these rows' fluid cells.
  double update_rows(int begin, int end, int step, bool last_step) {
    double sum = 0.0;
    for (int y = begin; y < end; ++y)
      sum += y == driven_row_ && !last_step ? update_row<true>(y, step) : update_row<false>(y, step);
    return sum;
  }

  /// Direction i of cell (0, y) as step `step` reads it; y = -1 and y = rows() are the halo rows.
  T* segment(int i, int y, int step) { return row(grids_[step % 2], y) + lanes + i * pitch_; }

  /// Density and velocity of the strip's cells after `steps` steps.
  void collect(int steps, Fields fields) {
    collect_fields(problem_.parameters.nx, rows_, problem_.parameters.density, fields,
                   [&](int i, int x, int y) { return segment(i, y, steps)[x]; });
  }

 private:
  using Grid = AlignedArray<T>;

  T* row(Grid& grid, int y) {
    if (halo_)
      ++y;
    else if (y < 0)
      y += rows_;
    else if (y >= rows_)
      y -= rows_;
    return grid.data() + row_values_ * static_cast<std::size_t>(y);
  }

  typename Vector::Mask solid_lanes(int y, int block) const {
    return Vector::mask_from_bits(solid_[static_cast<std::size_t>(y) * blocks_ + block]);
  }

  /// `at` is x = 0 of direction 0: copies the periodic neighbours beside a row, for the directions that are
  /// read there.
  void fill_ghost_columns(T* at) {
    const int nx = problem_.parameters.nx;
    for (int i = 0; i < Lattice::directions; ++i, at += pitch_) {
      if (Lattice::cx[i] > 0) at[-1] = at[nx - 1];
      if (Lattice::cx[i] < 0) at[nx] = at[0];
    }
  }

  template <bool Driven>
  double update_row(int y, int step) {
    return [&]<int... I>(std::integer_sequence<int, I...>) {
      // Where direction I of cell x = 0 arrives from: the row against its motion, one column against its
      // motion.
      const std::array<const T*, Lattice::directions> from = {row(grids_[step % 2], y - Lattice::cy[I]) +
                                                              lanes + I * pitch_ - Lattice::cx[I]...};
      T* const to = row(grids_[(step + 1) % 2], y) + lanes;
      const std::uint32_t* const solid = &solid_[static_cast<std::size_t>(y) * blocks_];
      const Relaxation<T> c = relaxation_;
      const int blocks = blocks_, pitch = pitch_;

      double sum = 0.0;
      Vector speeds = Vector::zero();
      for (int block = 0; block < blocks; ++block) {
        const int x = block * lanes;
        const Populations<Vector> arrived = {{Vector::load(from[I] + x)...}};
        const auto m = moments_of(arrived, c);
        // Most vectors have no solid cell. They are apart so that nobody makes a mask of their bits.
        const std::uint32_t bits = solid[block];
        const Populations<Vector> out =
            bits == 0 ? update_cell(arrived, m, Vector::mask_from_bits(0), false, Driven, c, &speeds)
                      : update_cell(arrived, m, Vector::mask_from_bits(bits), true, Driven, c, &speeds);
        (out.f[I].store(to + I * pitch + x), ...);
        if ((block + 1) % most_speeds_a_lane == 0) [[unlikely]]
          sum += static_cast<double>(std::exchange(speeds, Vector::zero()).sum());
      }
      sum += static_cast<double>(speeds.sum());
      fill_ghost_columns(to);
      return sum * static_cast<double>(c.speed_unit);
    }
    (std::make_integer_sequence<int, Lattice::directions>{});
  }

  const Problem& problem_;
  int first_row_, rows_;
  bool halo_;
  int blocks_, pitch_;
  std::size_t row_values_;
  Relaxation<T> relaxation_;
  int driven_row_;  ///< in this strip's numbering; outside 0 .. rows-1 when another strip has it
  std::array<Grid, 2> grids_;
  std::vector<std::uint32_t> solid_;  ///< one bit per cell, one word per vector
};

}  // namespace boltzmark::lbm
