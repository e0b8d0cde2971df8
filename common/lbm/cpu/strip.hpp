// Two grids of a strip of rows in structure-of-arrays form, and the fused update of one row: the basis of the fused
// variants of the CPU models. A model decides which rows a thread or rank updates, and when.
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
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/cpu/aligned.hpp"
#include "common/cpu/memory.hpp"
#include "common/cpu/processors.hpp"
#include "common/cpu/range.hpp"
#include "common/cpu/simd.hpp"
#include "common/lbm/cell.h"
#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/cpu/dithered.hpp"
#include "common/lbm/cpu/layer_part.hpp"
#include "common/lbm/macroscopic.hpp"
#include "common/lbm/problem.hpp"
#include "common/lbm/relaxation.hpp"
#include "common/lbm/start_state.hpp"

namespace boltzmark::lbm {

/// A GridPart in two grids. Halo layers are -1 and `layers`; the model fills them from its neighbours before each step.
template <class T, class L = D2Q9, int Lanes = native_lanes<Arithmetic<T>>>
class Strip : public GridPart<T, L> {
  using Base = GridPart<T, L>;

 public:
  static constexpr int lanes = Lanes;
  using Vector = Pack<Arithmetic<T>, lanes>;
  using Base::rows, Base::columns;

  Strip(const Problem& problem, int first, int layers, bool halo_layers)
      : Strip(problem, first, layers, halo_layers, whole_layer(problem.parameters)) {}
  Strip(const Problem& problem, int first, int layers, bool halo_layers, const LayerPart& part)
      : Base(problem, first, layers, halo_layers, part),
        blocks_((columns() + lanes - 1) / lanes),
        pitch_(lead * ((columns() + lead - 1) / lead + (is_flat ? 2 : 1))),
        row_values_(static_cast<std::size_t>(L::directions) * pitch_ + (is_flat ? 0 : lead)) {
    const std::size_t values = row_values_ * static_cast<std::size_t>(rows()) * this->stored_layers();
    require_memory("two grids", 2.0 * sizeof(T) * static_cast<double>(values));
    for (auto& grid : grids_) grid = AlignedArray<T>(values);
    solid_.resize(static_cast<std::size_t>(layers) * rows() * blocks_);
    // Written data leave the caches before they are read again. Only whole cache lines bypass the caches efficiently.
    streams_ = !is_flat && sizeof(Vector) == 64 &&
               2.0 * sizeof(T) * static_cast<double>(values) >
                   static_cast<double>(last_level_cache_bytes(usable_processors()));
  }

  /// Vectors in a row; the last may reach beyond nx, where cells count as solid.
  int blocks() const { return blocks_; }
  /// Values from one direction's segment to the next.
  int pitch() const { return pitch_; }
  /// Traffic of a run whose strips are all like this one.
  RunFacts facts() const {
    RunFacts facts = cpu_facts<T, L>(2, {{"vvl", lanes}, {"storage", storage_name<T>}});
    if (streams_) facts.fetched_per_update = 0.0;
    return facts;
  }

  /// Bytes from one row to the next.
  std::size_t row_bytes() const { return row_values_ * sizeof(T); }

  /// Sets layers begin .. end-1 of both grids to the start state, the body force of the first step included; every
  /// later one is part of the update before it. To be called by the thread that will update them, because memory is
  /// near the thread that touches it first. The first and last layer include the halo layers next to them.
  void init_layers(int begin, int end);

  /// Time step `step` (from 0) of layers begin .. end-1: propagate, rebound, collide, and unless this is the
  /// last step the body force of the next. Reads grid step % 2 and writes the other. Returns the sum of |u|
  /// over their fluid cells.
  double update_layers(int begin, int end, int step, bool last_step);

  /// Direction i of cell x = 0 of row y of a layer (0 in two dimensions) as step `step` reads it; layers -1 and
  /// layers() are the halo.
  T* segment(int i, int layer, int y, int step) { return row(grids_[step % 2], layer, y) + lead + i * pitch_; }

  /// Density and velocity of the strip's cells after `steps` steps; those of the frame have no meaning.
  void collect(int steps, Fields fields);

 private:
  using Grid = AlignedArray<T>;
  /// Number of values in a vector: ghosts and padding before x = 0. Vectors of halves are half as long, and two of them
  /// are in a cache line.
  static constexpr int lead = sizeof(Vector) / sizeof(T), vectors_of_line = lead / lanes;
  using Base::is_flat, Base::problem_, Base::first_, Base::layers_, Base::halo_, Base::relaxation_, Base::pushes_;

  /// Row y, from -1 to rows(), of a layer.
  T* row(Grid& grid, int layer, int y) {
    std::size_t at = this->stored(layer);
    if constexpr (!is_flat) at = at * rows() + static_cast<std::size_t>(wrapped(y, rows()));
    return grid.data() + row_values_ * at;
  }

  std::size_t index(int layer, int y) const { return static_cast<std::size_t>(layer) * rows() + y; }

  void set_start(int layer, int y, const std::vector<std::uint8_t>& solid) {
    T* const at = row(grids_[0], layer, y) + lead;
    for (int x = 0; x < columns(); ++x) {
      const auto start = this->start_in(x, y, layer, solid[x] != 0);
      for (int i = 0; i < L::directions; ++i) at[i * pitch_ + x] = static_cast<T>(start.f[i]);
    }
    fill_ghost_columns(at);
  }

  /// `at` is x = 0 of direction 0: copies the periodic neighbours to both ends of a row, for the directions that
  /// are read there.
  void fill_ghost_columns(T* at) {
    for (int i = 0; i < L::directions; ++i, at += pitch_) {
      if (L::cx[i] > 0) at[-1] = at[columns() - 1];
      if (L::cx[i] < 0) at[columns()] = at[0];
    }
  }

  template <bool Driven>
  double update_row(int layer, int y, int step);

  int blocks_, pitch_;
  std::size_t row_values_;
  bool streams_;  ///< past the caches
  std::array<Grid, 2> grids_;
  std::vector<std::uint32_t> solid_;  ///< one bit per cell, one word per vector
};

template <class T, class L, int Lanes>
template <bool Driven>
double Strip<T, L, Lanes>::update_row(int layer, int y, int step) {
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    // Place from which direction I of cell x = 0 arrives: the row and the column one step against its motion.
    const std::array<const T*, L::directions> from = {
        row(grids_[step % 2], layer - (is_flat ? L::cy[I] : L::cz[I]), y - L::cy[I]) + lead + I * pitch_ - L::cx[I]...};
    T* const to = row(grids_[(step + 1) % 2], layer, y) + lead;
    const std::uint32_t* const solid = &solid_[index(layer, y) * blocks_];
    const Relaxation<Arithmetic<T>, L> c = relaxation_;
    const int blocks = blocks_, pitch = pitch_;
    [[maybe_unused]] const bool streams = streams_;
    [[maybe_unused]] const std::size_t row_values = row_values_;

    double sum = 0.0;
    Vector speeds = Vector::zero();
    [[maybe_unused]] alignas(64) T first_of_line[L::directions][lanes] = {};
    for (int block = 0; block < blocks; ++block) {
      const int x = block * lanes;
      const Populations<Vector, L> arrived = {{Vector::load(from[I] + x)...}};
      const auto m = moments_of(arrived, c);
      // Most vectors have no solid cell: a separate branch without a mask.
      const std::uint32_t bits = solid[block];
      Populations<Vector, L> out =
          bits == 0 ? update_cell(arrived, m, Vector::mask_from_bits(0), false, Driven, c, &speeds)
                    : update_cell(arrived, m, Vector::mask_from_bits(bits), true, Driven, c, &speeds);
      if constexpr (std::is_same_v<T, Half>) out = dithered(out, m);
      if constexpr (!is_flat) {
        (__builtin_prefetch(from[I] + x + row_values), ...);
        // Except the ends of a row, which are read again for its ghost columns.
        const int line = block / vectors_of_line * vectors_of_line;
        if (!streams || line == 0 || line + vectors_of_line >= blocks)
          (out.f[I].store(to + I * pitch + x), ...);
        else if constexpr (vectors_of_line == 1)
          (store_past_caches(out.f[I], to + I * pitch + x), ...);
        else if (block == line)
          (out.f[I].store(first_of_line[I]), ...);
        else
          (store_past_caches(first_of_line[I], out.f[I], to + I * pitch + x - lanes), ...);
      } else {
        (out.f[I].store(to + I * pitch + x), ...);
      }
      if ((block + 1) % most_speeds_a_lane == 0) [[unlikely]]
        sum += static_cast<double>(std::exchange(speeds, Vector::zero()).sum());
    }
    sum += static_cast<double>(speeds.sum());
    if constexpr (!is_flat)
      if (!pushes_.empty())
        this->each_push_in(y, layer, [&](const WallPush& push, int x) {
          to[push.direction * pitch + x] += static_cast<T>(push.momentum);
        });
    fill_ghost_columns(to);
    return sum * static_cast<double>(c.speed_unit);
  }
  (std::make_integer_sequence<int, L::directions>{});
}

template <class T, class L, int Lanes>
double Strip<T, L, Lanes>::update_layers(int begin, int end, int step, bool last_step) {
  double sum = 0.0;
  for (int z = begin; z < end; ++z)
    for (int y = 0; y < rows(); ++y)
      sum += !last_step && this->is_driven(y, z) ? update_row<true>(z, y, step) : update_row<false>(z, y, step);
  if (streams_) streamed();
  return sum;
}

template <class T, class L, int Lanes>
void Strip<T, L, Lanes>::init_layers(int begin, int end) {
  for (auto& grid : grids_)
    for (int z = begin - (halo_ && begin == 0); z < end + (halo_ && end == layers_); ++z)
      std::fill_n(row(grid, z, 0), row_values_ * rows(), T(0));
  std::vector<std::uint8_t> solid;
  for (int layer = begin; layer < end; ++layer) {
    const auto mask = problem_.solid_mask(first_ + layer, 1);
    for (int y = 0; y < rows(); ++y) {
      this->find_solid(mask, y, solid);
      std::uint32_t* const words = &solid_[index(layer, y) * blocks_];
      for (int x = 0; x < blocks_ * lanes; ++x)
        if (x >= columns() || solid[x]) words[x / lanes] |= 1u << x % lanes;
      if (this->starts_with_any(y, layer)) set_start(layer, y, solid);
    }
  }
}

template <class T, class L, int Lanes>
void Strip<T, L, Lanes>::collect(int steps, Fields fields) {
  collect_fields<L>(columns(), layers_ * rows(), problem_.parameters.density, fields,
                    [&](int i, int x, int r) { return segment(i, r / rows(), r % rows(), steps)[x]; });
}

// Compiled once, in half_rows.cpp.
extern template double Strip<Half, D2Q9>::update_layers(int, int, int, bool);
extern template double Strip<Half, D3Q19>::update_layers(int, int, int, bool);

// Untimed members are compiled once, in grids.cpp.
#define EACH_STRIP(WORD, T, L)                           \
  WORD template void Strip<T, L>::init_layers(int, int); \
  WORD template void Strip<T, L>::collect(int, Fields);
EACH_STORED(EACH_STRIP, extern)

/// Two grids, of which a Method updates the layers from one to the other. It has
///
///     template <class T, class L>
///     static void run(Strip<T, L>& strip, std::span<double> sums, const Workers& workers)      sums.size() time steps;
///                                                                                            of each the sum of speeds
///
/// and, if worker `me` has other layers than part_of(layers, me, workers), init(strip, workers): their start state, set
/// by the worker that has them, so that they are in the memory of its NUMA node. Grid: Strip, or a class like it.
template <class T, class L, class Method, class Grid = Strip<T, L>>
class StripSolver final : public Solver {
 public:
  StripSolver(Workers workers, const Options&) : workers_(std::move(workers)) {}

  void init(const Problem& problem) override {
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    strip_.emplace(problem, 0, problem.parameters.layers(), false);
    if constexpr (requires { Method::init(*strip_, workers_); })
      Method::init(*strip_, workers_);
    else
      workers_.run([this](int me) {
        const Range mine = part_of(strip_->layers(), me, workers_.count);
        strip_->init_layers(static_cast<int>(mine.begin), static_cast<int>(mine.end));
      });
  }
  void run(int steps, std::span<double> av_vels) override {
    Method::run(*strip_, av_vels, workers_);
    for (double& av_vel : av_vels) av_vel /= fluid_cells_;
    steps_ = steps;
  }
  void collect(State& state) override { strip_->collect(steps_, fields_of(state)); }
  RunFacts facts() const override { return workers_.with(strip_->facts()); }

 private:
  Workers workers_;
  double fluid_cells_ = 0.0;
  int steps_ = 0;  ///< of the last run
  std::optional<Grid> strip_;
};

/// The `fused` variant of a model, the form in which models are compared.
template <class Method>
struct ByStrip {
  template <class T, class L>
  using Solver = StripSolver<T, L, Method>;
};
template <class Method>
Variant fused_of(const char* summary, StartWorkers* start_workers) {
  return {.name = "fused",
          .summary = summary,
          .role = Role::like_for_like,
          .kinds = {D3Q19::name},
          .options = {storage_option()},
          .make = stored_by<ByStrip<Method>::template Solver>(start_workers)};
}

}  // namespace boltzmark::lbm
