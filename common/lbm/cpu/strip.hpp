// Two grids of a strip of rows in structure-of-arrays form, and the fused update of one row: what the fused
// variants of the CPU models share. A model decides which rows a thread or rank updates, and when.
//
//   one row:  | west ghost | f0 of x = 0 .. nx-1 | east ghost, padding |  then the same for f1 .. f8, or f18
//
// In three dimensions neighbouring segments share the vector between them for their ghosts. A row is contiguous, the
// populations that a neighbour rank needs are a few contiguous segments, and x = 0 of each segment is aligned to
// vectors. The ghost columns hold the periodic neighbours, so every load of a row update is a plain vector load.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "common/cpu/aligned.hpp"
#include "common/cpu/caches.hpp"
#include "common/cpu/memory.hpp"
#include "common/cpu/processors.hpp"
#include "common/cpu/simd.hpp"
#include "common/lbm/cell.h"
#include "common/lbm/cpu/layer_part.hpp"
#include "common/lbm/macroscopic.hpp"
#include "common/lbm/problem.hpp"
#include "common/lbm/relaxation.hpp"
#include "common/lbm/start_state.hpp"

namespace boltzmark::lbm {

/// Layers first .. first+layers-1 of a problem (rows, or planes of rows in three dimensions), in two grids.
/// Without halo layers the strip is the whole grid and layer -1 is layer layers-1; with them layers -1 and
/// `layers` are memory of their own that the model fills from its neighbours before each step.
template <class T, class L = D2Q9>
class Strip {
 public:
  static constexpr int lanes = native_lanes<T>;
  using Vector = Pack<T, lanes>;

  Strip(const Problem& problem, int first, int layers, bool halo_layers)
      : Strip(problem, first, layers, halo_layers, whole_layer(problem.parameters)) {}
  Strip(const Problem& problem, int first, int layers, bool halo_layers, const LayerPart& part)
      : problem_(problem),
        part_(part),
        first_(first),
        layers_(layers),
        nx_(part.columns()),
        rows_(part.rows()),
        halo_(halo_layers),
        blocks_((nx_ + lanes - 1) / lanes),
        pitch_(lanes * (blocks_ + (L::dimension == 2 ? 2 : 1))),
        row_values_(static_cast<std::size_t>(L::directions) * pitch_ + (L::dimension == 2 ? 0 : lanes)),
        relaxation_(make_relaxation<T, L>(problem.parameters)),
        driven_row_(problem.parameters.driven_row()),
        pushes_(wall_pushes<L>(problem)) {
    const std::size_t values =
        row_values_ * static_cast<std::size_t>(rows_) * static_cast<std::size_t>(layers + (halo_layers ? 2 : 0));
    require_memory("two grids", 2.0 * sizeof(T) * static_cast<double>(values));
    for (auto& grid : grids_) grid = AlignedArray<T>(values);
    solid_.resize(static_cast<std::size_t>(layers) * rows_ * blocks_);
    // What is written is not read again before the caches have forgotten it. Only whole cache lines go past them well.
    streams_ = L::dimension == 3 && sizeof(Vector) == 64 &&
               2.0 * sizeof(T) * static_cast<double>(values) >
                   static_cast<double>(last_level_cache_bytes(usable_processors()));
  }

  int layers() const { return layers_; }
  /// Vectors in a row; the last may reach beyond nx, where cells count as solid.
  int blocks() const { return blocks_; }
  /// Values from one direction's segment to the next.
  int pitch() const { return pitch_; }
  /// Columns of a row and rows of a layer, those of the frame included.
  int columns() const { return nx_; }
  int rows() const { return rows_; }
  /// Bytes from one row to the next.
  std::size_t row_bytes() const { return row_values_ * sizeof(T); }

  /// Sets layers begin .. end-1 of both grids to the start state, the body force of the first step included; every
  /// later one is part of the update before it. By the thread that will update them: memory is near the thread that
  /// touches it first. The first and last layer include the halo layers next to them.
  void init_layers(int begin, int end) {
    for (auto& grid : grids_)
      for (int z = begin - (halo_ && begin == 0); z < end + (halo_ && end == layers_); ++z)
        std::fill_n(row(grid, z, 0), row_values_ * rows_, T(0));
    const auto mask = problem_.solid_mask(first_ + begin, end - begin);
    std::vector<std::uint8_t> solid(static_cast<std::size_t>(nx_));
    for (int r = begin * rows_; r < end * rows_; ++r) {
      const std::size_t layer_cells = mask.size() / static_cast<std::size_t>(end - begin);
      const std::uint8_t* const of_grid = &mask[(r / rows_ - begin) * layer_cells +
                                                static_cast<std::size_t>(grid_y(r % rows_)) * problem_.parameters.nx];
      for (int x = 0; x < nx_; ++x) solid[x] = part_.is_frame(x, r % rows_) || of_grid[grid_x(x)];
      for (int block = 0; block < blocks_; ++block) {
        std::uint32_t bits = 0;
        for (int lane = 0; lane < lanes; ++lane) {
          const int x = block * lanes + lane;
          if (x >= nx_ || solid[x]) bits |= 1u << lane;
        }
        solid_[static_cast<std::size_t>(r) * blocks_ + block] = bits;
      }
      if (!starts_at_rest(problem_.parameters) || is_driven(r / rows_, r % rows_))
        set_start(r / rows_, r % rows_, solid.data());
    }
  }

  /// Time step `step` (from 0) of layers begin .. end-1: propagate, rebound, collide, and unless this is the
  /// last step the body force of the next. Reads grid step % 2 and writes the other. Returns the sum of |u|
  /// over their fluid cells.
  double update_layers(int begin, int end, int step, bool last_step) {
    double sum = 0.0;
    for (int z = begin; z < end; ++z)
      for (int y = 0; y < rows_; ++y)
        sum += !last_step && is_driven(z, y) ? update_row<true>(z, y, step) : update_row<false>(z, y, step);
    if (streams_) streamed();
    return sum;
  }

  /// Direction i of cell x = 0 of row y of a layer (0 in two dimensions) as step `step` reads it; layers -1 and
  /// layers() are the halo.
  T* segment(int i, int layer, int y, int step) { return row(grids_[step % 2], layer, y) + lanes + i * pitch_; }

  /// Density and velocity of the strip's cells after `steps` steps; those of the frame have no meaning.
  void collect(int steps, Fields fields) {
    collect_fields<L>(nx_, layers_ * rows_, problem_.parameters.density, fields,
                      [&](int i, int x, int r) { return segment(i, r / rows_, r % rows_, steps)[x]; });
  }

 private:
  using Grid = AlignedArray<T>;

  /// Row y, from -1 to rows_, of a layer.
  T* row(Grid& grid, int layer, int y) {
    std::size_t at = static_cast<std::size_t>(halo_ ? layer + 1 : wrapped(layer, layers_));
    if constexpr (L::dimension == 3) at = at * rows_ + static_cast<std::size_t>(wrapped(y, rows_));
    return grid.data() + row_values_ * at;
  }

  bool is_driven(int layer, int y) const {
    return driven_row_ >= 0 && (L::dimension == 2 ? first_ + layer : grid_y(y)) == driven_row_;
  }

  int grid_x(int x) const { return part_.grid_x(x, problem_.parameters); }
  int grid_y(int y) const { return part_.grid_y(y, problem_.parameters); }

  std::size_t index(int layer, int y) const { return static_cast<std::size_t>(layer) * rows_ + y; }

  void set_start(int layer, int y, const std::uint8_t* solid) {
    T* const at = row(grids_[0], layer, y) + lanes;
    for (int x = 0; x < nx_; ++x) {
      const auto start = start_of(problem_.parameters, grid_x(x), grid_y(y), first_ + layer, solid[x] != 0,
                                  is_driven(layer, y), relaxation_);
      for (int i = 0; i < L::directions; ++i) at[i * pitch_ + x] = start.f[i];
    }
    fill_ghost_columns(at);
  }

  /// What moving walls in a row give to what has just left them; `to` is x = 0 of direction 0.
  void push(int layer, int y, T* to) {
    if (part_.is_frame_row(y)) return;
    const Parameters& p = problem_.parameters;
    const std::int64_t begin = (std::int64_t{first_ + layer} * p.ny + grid_y(y)) * p.nx + part_.x;
    each_push(pushes_, begin, part_.nx, [&](const WallPush& push, int x) {
      to[push.direction * pitch_ + x + part_.frame_x] += static_cast<T>(push.momentum);
    });
  }

  /// `at` is x = 0 of direction 0: copies the periodic neighbours to both ends of a row, for the directions that
  /// are read there.
  void fill_ghost_columns(T* at) {
    for (int i = 0; i < L::directions; ++i, at += pitch_) {
      if (L::cx[i] > 0) at[-1] = at[nx_ - 1];
      if (L::cx[i] < 0) at[nx_] = at[0];
    }
  }

  template <bool Driven>
  double update_row(int layer, int y, int step) {
    return [&]<int... I>(std::integer_sequence<int, I...>) {
      // Where direction I of cell x = 0 arrives from: the row against its motion, one column against its
      // motion.
      const std::array<const T*, L::directions> from = {
          row(grids_[step % 2], layer - (L::dimension == 2 ? L::cy[I] : L::cz[I]), y - L::cy[I]) + lanes + I * pitch_ -
          L::cx[I]...};
      T* const to = row(grids_[(step + 1) % 2], layer, y) + lanes;
      const std::uint32_t* const solid = &solid_[index(layer, y) * blocks_];
      const Relaxation<T, L> c = relaxation_;
      const int blocks = blocks_, pitch = pitch_;
      [[maybe_unused]] const bool streams = streams_;
      [[maybe_unused]] const std::size_t row_values = row_values_;

      double sum = 0.0;
      Vector speeds = Vector::zero();
      for (int block = 0; block < blocks; ++block) {
        const int x = block * lanes;
        const Populations<Vector, L> arrived = {{Vector::load(from[I] + x)...}};
        const auto m = moments_of(arrived, c);
        // Most vectors have no solid cell: a branch of its own, without a mask.
        const std::uint32_t bits = solid[block];
        const Populations<Vector, L> out =
            bits == 0 ? update_cell(arrived, m, Vector::mask_from_bits(0), false, Driven, c, &speeds)
                      : update_cell(arrived, m, Vector::mask_from_bits(bits), true, Driven, c, &speeds);
        if constexpr (L::dimension == 3) {
          (__builtin_prefetch(from[I] + x + row_values), ...);
          // Not the ends of a row, which are read again for its ghost columns.
          if (streams && block != 0 && block != blocks - 1) {
            (store_past_caches(out.f[I], to + I * pitch + x), ...);
          } else {
            (out.f[I].store(to + I * pitch + x), ...);
          }
        } else {
          (out.f[I].store(to + I * pitch + x), ...);
        }
        if ((block + 1) % most_speeds_a_lane == 0) [[unlikely]]
          sum += static_cast<double>(std::exchange(speeds, Vector::zero()).sum());
      }
      sum += static_cast<double>(speeds.sum());
      if constexpr (L::dimension == 3)
        if (!pushes_.empty()) push(layer, y, to);
      fill_ghost_columns(to);
      return sum * static_cast<double>(c.speed_unit);
    }
    (std::make_integer_sequence<int, L::directions>{});
  }

  const Problem& problem_;
  LayerPart part_;
  int first_, layers_;
  int nx_, rows_;  ///< columns of a row, rows of a layer
  bool halo_;
  int blocks_, pitch_;
  std::size_t row_values_;
  Relaxation<T, L> relaxation_;
  int driven_row_;  ///< in the problem's numbering
  bool streams_;    ///< past the caches
  std::vector<WallPush> pushes_;
  std::array<Grid, 2> grids_;
  std::vector<std::uint32_t> solid_;  ///< one bit per cell, one word per vector
};

}  // namespace boltzmark::lbm
