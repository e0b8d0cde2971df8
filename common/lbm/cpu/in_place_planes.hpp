// One grid of a strip of planes that is updated in place: in_place_strip.hpp in three dimensions, with its layout
// of a row and its two kinds of steps. A row update reads and writes nine rows: y-1, y, y+1 of planes z-1, z, z+1.
// A model decides which planes and rows a thread visits, and when (plane_wavefront.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "common/cpu/aligned.hpp"
#include "common/lbm/cpu/lane_row.hpp"
#include "common/lbm/cpu/row_kernels.hpp"
#include "common/lbm/macroscopic.hpp"
#include "common/lbm/problem.hpp"
#include "common/lbm/relaxation.hpp"
#include "common/lbm/start_state.hpp"

namespace boltzmark::lbm {

/// Planes first .. first+planes-1 of a problem. Without halo planes the strip is the whole grid and plane -1 is
/// plane planes-1; with them planes -halo .. -1 and planes .. planes+halo-1 are memory of their own, which hold
/// copies of the neighbours' planes and can be updated like the strip's own.
template <class T>
class InPlacePlanes {
 public:
  using L = D3Q19;
  InPlacePlanes(const Problem& problem, int first, int planes, int halo, const RowKernels<T, L>& kernels,
                const GridMemory<T>& memory = {});

  int planes() const { return planes_; }
  /// Rows in a plane.
  int rows() const { return ny_; }
  /// Bytes of a plane.
  std::size_t plane_bytes() const { return layout_.plane_pitch * sizeof(T); }
  /// What the sums of update_row() are in units of.
  double speed_unit() const { return static_cast<double>(relaxation_.speed_unit); }

  int lanes() const { return kernels_.lanes; }
  /// Vectors in a row.
  int vectors() const { return layout_.columns.vectors(); }
  /// Bytes from one row to the next.
  std::size_t row_bytes() const { return layout_.pitch * sizeof(T); }

  /// Sets rows begin .. end-1 of every plane to the start state, the body force of the first step included. Call it
  /// from the thread that will update them.
  void init_rows(int begin, int end) { init(-halo_, planes_ + halo_, begin, end); }
  /// The same for planes begin .. end-1.
  void init_planes(int begin, int end) { init(begin, end, 0, ny_); }

  /// How many rows later: as many as memory needs the time of.
  int rows_ahead() const { return rows_ahead_; }

  /// Time step `step` (from 0) of `count` rows of plane z from row y on: propagate, rebound, collide, and unless this is
  /// the last step the body force of the next. The rows around them must have done step-1. Returns the sum of the speeds
  /// of their fluid cells in units of speed_unit().
  double update_rows(int y, int count, int z, int step, bool last_step, RowsAhead ahead) {
    double sum = 0.0;
    for (const int end = y + count; y < end;) {
      const std::int32_t run = runs_[index(y, z)];
      const int rows = std::min(std::min(std::abs(run), end - y), ghosts_.empty() ? ny_ : rows_ahead_);
      if (run > 0) sum += update_run(y, rows, z, step, y == driven_row_ && !last_step, ahead);
      if (!pushes_.empty())
        for (int row = y; row < y + rows; ++row) push(row, z, step);
      y += rows, ahead.soon_y += rows, ahead.y += rows;
    }
    return sum;
  }

  /// update_rows() for all rows of plane z. In a sweep of several steps each of these fetches its part, `part` of
  /// `parts`, of plane `ahead`; nothing where the strip has no such plane.
  double update_plane(int z, int step, bool last_step, int ahead, int part, int parts) {
    if (parts <= 1 || ahead < -halo_ || ahead >= planes_ + halo_) parts = part = ahead = 0;
    const int next = z + 1 < planes_ + halo_ ? z + 1 : z;
    return update_in_turn(*this, 0, ny_, z, step, last_step,
                          {.soon_y = 0, .soon_z = next, .z = ahead, .part = part, .parts = parts}, 0);
  }

  /// First value of row y, from -1 to ny, of plane z.
  T* row(int y, int z) {
    return values_ + plane_index(z) * layout_.plane_pitch +
           static_cast<std::size_t>(wrapped(y, ny_)) * layout_.pitch;
  }

  /// Writes density and velocity of the strip's cells after `steps` steps, plane after plane. With halo planes and
  /// an odd number of steps the planes beside the strip must be up to date.
  void collect(int steps, Fields fields);

 private:
  /// Numbers one beyond the ends, in the periodic grid.
  static int wrapped(int number, int count) {
    return number < 0 ? number + count : number >= count ? number - count : number;
  }
  std::size_t plane_index(int z) const {
    return static_cast<std::size_t>(halo_ > 0 ? z + halo_ : wrapped(z, planes_));
  }
  std::size_t index(int y, int z) const { return plane_index(z) * ny_ + static_cast<std::size_t>(y); }
  /// Place of direction i in column x of a row.
  std::size_t place(int i, int x) const { return layout_.columns.place(i, x); }
  /// update_rows() of rows that may be one job.
  double update_run(int y, int count, int z, int step, bool driven, const RowsAhead& ahead);
  /// Rows `begin` .. `end`-1 of planes `south` .. `north`-1.
  void init(int south, int north, int begin, int end);
  void push(int y, int z, int step);

  const Problem& problem_;
  const RowKernels<T, L>& kernels_;
  int first_, planes_, halo_, nx_, ny_, driven_row_;
  PlaneLayout layout_;
  std::size_t vectors_;  ///< in a row
  int rows_ahead_;
  Relaxation<T, L> relaxation_;
  AlignedArray<T> grid_;  ///< empty where the grid lies elsewhere
  T* values_;
  AlignedArray<std::uint32_t> solid_;  ///< one bit per cell, one word per vector
  std::vector<std::int32_t> runs_;     ///< plane_runs() of all planes
  std::vector<LaneGhost> ghosts_;      ///< empty where the width is a multiple of the lanes
  std::vector<WallPush> pushes_;
};

}  // namespace boltzmark::lbm
