// One grid of a block of cells that is updated in place, in two and three dimensions: the access pattern and the rows
// of common/lbm/cpu/in_place_strip.hpp, with a frame of cells round the block (blocks.hpp) where in_place_strip.hpp and
// in_place_planes.hpp have whole layers. The frame's cells count as solid: a step leaves them alone, and what crosses
// the block's faces is read and written in their stead.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "common/cpu/aligned.hpp"
#include "common/cpu/memory.hpp"
#include "common/lbm/cpu/row_kernels.hpp"
#include "common/lbm/cpu/stretches.hpp"
#include "common/lbm/cpu/strip.hpp"
#include "common/lbm/macroscopic.hpp"
#include "common/lbm/problem.hpp"
#include "common/lbm/relaxation.hpp"
#include "common/lbm/start_state.hpp"
#include "mpi/lbm/in_place_layers.hpp"
#include "mpi/lbm/types.hpp"

namespace boltzmark::mpi {

template <class T, class L>
class InPlaceBlock {
 public:
  /// Layers first .. first+layers-1, of each the given part. Without halo layers layer -1 is layer layers-1.
  InPlaceBlock(const lbm::Problem& problem, int first, int layers, bool halo_layers,
               const lbm::LayerPart& part, const lbm::RowKernels<T, L>* kernels)
      : problem_(problem),
        kernels_(*kernels),
        part_(part),
        first_(first),
        layers_(layers),
        halo_(halo_layers),
        columns_(part.nx + 2 * part.frame_x),
        rows_(part.ny + 2 * part.frame_y),
        vectors_((columns_ + kernels->lanes - 1) / kernels->lanes),
        relaxation_(lbm::make_relaxation<T, L>(problem.parameters)),
        pushes_(lbm::wall_pushes<L>(problem)) {
    constexpr std::size_t line = 64 / sizeof(T);
    pitch_ = (static_cast<std::size_t>(vectors_) * L::directions * kernels_.lanes + line - 1) / line * line;
    const std::size_t all_rows = static_cast<std::size_t>(layers + 2 * halo_) * rows_;
    require_memory("one grid", sizeof(T) * static_cast<double>(all_rows * pitch_));
    grid_ = AlignedArray<T>(all_rows * pitch_);
    row_facts_.resize(static_cast<std::size_t>(layers) * rows_);
    // The periodic neighbours of the first and last column, where lanes reach beyond the last one.
    const int west_end = vectors_ * kernels_.lanes - 1;
    for (int i = 0; i < L::directions && columns_ % kernels_.lanes != 0; ++i) {
      if (L::cx[i] > 0) ghosts_.push_back({from_row(i), place(i, columns_ - 1), place(i, west_end)});
      if (L::cx[i] < 0) ghosts_.push_back({from_row(i), place(i, 0), place(i, columns_)});
    }
  }

  int layers() const { return layers_; }
  /// Of a layer, those of the frame included.
  int rows() const { return rows_; }
  int columns() const { return columns_; }

  /// Sets layers begin .. end-1 to the start state, the body force of the first step included. By the thread that will
  /// update them; the first and last one also do the halo layers beside them.
  void init_layers(int begin, int end) {
    for (int layer = begin - (halo_ && begin == 0); layer < end + (halo_ && end == layers_); ++layer)
      for (int y = 0; y < rows_; ++y) std::fill_n(row(layer, y), pitch_, T(0));
    for (int layer = begin; layer < end; ++layer) {
      const auto mask = problem_.solid_mask(first_ + layer, 1);
      for (int y = 0; y < rows_; ++y) init_row(layer, y, mask);
    }
  }

  /// Time step `step` of layers begin .. end-1; see Strip::update_layers().
  double update_layers(int begin, int end, int step, bool last_step) {
    double sum = 0.0;
    for (int layer = begin; layer < end; ++layer)
      for (int y = 0; y < rows_; ++y) sum += update_row(layer, y, step, last_step);
    return sum * static_cast<double>(relaxation_.speed_unit);
  }

  /// Density and velocity of the cells after `steps` steps; those of the frame have no meaning.
  void collect(int steps, lbm::Fields fields) {
    const bool moved =
        steps % 2 != 0;  // an even step leaves results where the neighbours' odd step reads them
    lbm::collect_fields<L>(columns_, layers_ * rows_, problem_.parameters.density, fields,
                           [&](int i, int x, int r) {
                             const int layer = r / rows_, y = r % rows_;
                             return moved ? *population(i, x, y, layer) : row(layer, y)[place(i, x)];
                           });
  }

  /// Direction 0 of a cell; layers -1 and layers() are the halo.
  T* at(int x, int y, int layer) { return row(layer, y) + place(0, x); }

  /// What cells read and write in an even step of those one before them along an axis (c = 1), or behind them (c = -1):
  /// from the first value of a column, row or layer.
  OwnedType crossing(int axis, int c) const {
    const std::size_t row_bytes = pitch_ * sizeof(T), layer_bytes = row_bytes * rows_;
    if (axis == 0) {
      std::vector<int> starts;
      for (int i = 0; i < L::directions; ++i)
        if (L::cx[i] == c) starts.push_back(i * kernels_.lanes);
      return {layers_ * rows_, row_bytes, OwnedType(starts, 1, value_type<T>())};
    }
    const auto& c_i = axis == 1 ? L::cy : L::cz;
    const bool of_layer = axis == L::dimension - 1;
    return {of_layer ? rows_ : layers_, of_layer ? row_bytes : layer_bytes,
            crossing_places<T>(c_i, c, vectors_, kernels_.lanes)};
  }

 private:
  struct Row {
    std::vector<std::uint32_t> solid;  ///< one word per vector: bit l = lane l is solid
    std::vector<std::int32_t> stretches;
    bool all_solid, driven;
  };
  struct Ghost {
    int row;  ///< of those that a row update sees
    std::size_t boundary, ghost;
  };

  /// Which of the rows round a row direction i arrives from.
  static int from_row(int i) {
    return L::dimension == 2 ? 1 - L::cy[i] : (1 - L::cz[i]) * 3 + (1 - L::cy[i]);
  }
  static int wrapped(int number, int count) {
    return number < 0 ? number + count : number >= count ? number - count : number;
  }
  int grid_x(int x) const { return wrapped(part_.x + x - part_.frame_x, problem_.parameters.nx); }
  /// 0 in two dimensions.
  int grid_y(int y) const {
    return L::dimension == 2 ? 0 : wrapped(part_.y + y - part_.frame_y, problem_.parameters.ny);
  }
  bool is_frame_row(int y) const { return part_.frame_y && (y == 0 || y == rows_ - 1); }
  bool is_frame(int x, int y) const {
    return is_frame_row(y) || (part_.frame_x && (x == 0 || x == columns_ - 1));
  }

  T* row(int layer, int y) {
    const int l = halo_ ? layer + 1 : wrapped(layer, layers_);
    return grid_.data() + (static_cast<std::size_t>(l) * rows_ + wrapped(y, rows_)) * pitch_;
  }
  std::size_t place(int i, int x) const {
    return (static_cast<std::size_t>(x % vectors_) * L::directions + i) * kernels_.lanes + x / vectors_;
  }
  /// Where an even step leaves direction i of a cell: where the next, odd one of the cell that it moves to finds it.
  T* population(int i, int x, int y, int layer) {
    const int to_layer = layer + (L::dimension == 2 ? L::cy[i] : L::cz[i]);
    const int to_y = L::dimension == 2 ? 0 : y + L::cy[i];
    return row(to_layer, to_y) + place(L::opposite[i], wrapped(x + L::cx[i], columns_));
  }

  void init_row(int layer, int y, std::span<const std::uint8_t> mask) {
    const lbm::Parameters& p = problem_.parameters;
    Row& facts = row_facts_[static_cast<std::size_t>(layer) * rows_ + y];
    facts.solid.assign(static_cast<std::size_t>(vectors_), 0);
    facts.all_solid = true;
    const int row_of_driven = L::dimension == 2 ? first_ + layer : grid_y(y);
    facts.driven = row_of_driven == p.driven_row();
    T* const to = row(layer, y);
    for (int x = 0; x < vectors_ * kernels_.lanes; ++x) {
      const bool solid = x >= columns_ || is_frame(x, y) ||
                         mask[static_cast<std::size_t>(grid_y(y)) * p.nx + grid_x(x)] != 0;
      facts.solid[x % vectors_] |= static_cast<std::uint32_t>(solid) << x / vectors_;
      if (solid) continue;
      facts.all_solid = false;
      const auto start = lbm::start_populations<L>(p, grid_x(x), grid_y(y), first_ + layer, false);
      lbm::Populations<T, L> a;
      for (int i = 0; i < L::directions; ++i) a.f[i] = static_cast<T>(start.f[i]);
      if (facts.driven) a = accelerate(a, true, relaxation_);
      for (int i = 0; i < L::directions; ++i) to[place(i, x)] = a.f[i];
    }
    facts.stretches = lbm::stretches_of(facts.solid);
  }

  lbm::RowJob<T, L> job_of(int layer, int y, const Row& facts) {
    lbm::RowJob<T, L> job = {};
    if constexpr (L::dimension == 2) {
      job.south = row(layer - 1, 0);
      job.row = row(layer, 0);
      job.north = row(layer + 1, 0);
      job.stretches = facts.stretches.data();
    } else {
      for (int k = 0; k < 9; ++k) job.rows[k] = row(layer + k / 3 - 1, y + k % 3 - 1);
      job.count = 1;
      job.soon = static_cast<std::ptrdiff_t>(pitch_);
      job.far = reinterpret_cast<const char*>(job.rows[4]);
    }
    job.vectors = vectors_;
    job.solid = facts.solid.data();
    return job;
  }
  static T* row_of(const lbm::RowJob<T, L>& job, int number) {
    if constexpr (L::dimension == 2)
      return number == 0 ? job.south : number == 1 ? job.row : job.north;
    else
      return job.rows[number];
  }

  double update_row(int layer, int y, int step, bool last_step) {
    const Row& facts = row_facts_[static_cast<std::size_t>(layer) * rows_ + y];
    double sum = 0.0;
    if (!facts.all_solid) {
      const auto job = job_of(layer, y, facts);
      const bool driven = facts.driven && !last_step;
      if (step % 2 != 0) {
        sum = kernels_.from_own[driven](job, relaxation_);
      } else {
        for (const Ghost& g : ghosts_) row_of(job, g.row)[g.ghost] = row_of(job, g.row)[g.boundary];
        sum = kernels_.from_neighbours[driven](job, relaxation_);
        for (const Ghost& g : ghosts_) row_of(job, g.row)[g.boundary] = row_of(job, g.row)[g.ghost];
      }
    }
    if (!pushes_.empty() && !is_frame_row(y)) push(layer, y, step);
    return sum;
  }

  /// What moving walls of the block's own give to what leaves them.
  void push(int layer, int y, int step) {
    const lbm::Parameters& p = problem_.parameters;
    const std::int64_t begin = (std::int64_t{first_ + layer} * p.ny + grid_y(y)) * p.nx + part_.x;
    auto push = std::lower_bound(pushes_.begin(), pushes_.end(), begin,
                                 [](const lbm::WallPush& one, std::int64_t cell) { return one.cell < cell; });
    for (; push != pushes_.end() && push->cell < begin + part_.nx; ++push) {
      const int x = static_cast<int>(push->cell - begin) + part_.frame_x, i = push->direction;
      T* const left = step % 2 != 0 ? row(layer, y) + place(i, x) : population(i, x, y, layer);
      *left += static_cast<T>(push->momentum);
    }
  }

  const lbm::Problem& problem_;
  const lbm::RowKernels<T, L>& kernels_;
  lbm::LayerPart part_;
  int first_, layers_;
  bool halo_;
  int columns_, rows_, vectors_;
  std::size_t pitch_ = 0;
  lbm::Relaxation<T, L> relaxation_;
  std::vector<lbm::WallPush> pushes_;
  AlignedArray<T> grid_;
  std::vector<Row> row_facts_;
  std::vector<Ghost> ghosts_;  ///< empty where the width is a multiple of the lanes
};

}  // namespace boltzmark::mpi
