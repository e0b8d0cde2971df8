// Places of populations in a grid on the device. Both layouts have the same members; rows count through all planes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "common/lbm/cpu/vector_row.hpp"
#include "common/lbm/problem.hpp"
#include "openmp_target/runtime/device_memory.hpp"
#include "openmp_target/runtime/team.hpp"

namespace boltzmark::openmp_target {

/// A structure of arrays, row after row:
///     one row:  | padding | f0 of x = 0 .. nx-1 | padding | f1 ... | f8 of x = 0 .. nx-1 | padding |
/// (in three dimensions f18). Padding holds the periodic neighbours of the segments on both its sides, so a step reads
/// along a row without testing for the edge.
template <class T, class L>
struct PlainLayout {
  enum : int { word = 32 };      ///< cells per word of the solid mask, and values of padding
  enum : int { origin = word };  ///< index of direction 0 of cell (0, 0)

  int nx = 0, ny = 0, nz = 1;
  int pitch = 0;  ///< values from one direction's segment to the next
  int words = 0;  ///< of the solid mask per row

  PlainLayout() = default;
  PlainLayout(const lbm::Parameters& p, int /*lanes*/) : nx(p.nx), ny(p.ny), nz(p.nz), words((nx + word - 1) / word) {
    pitch = word * (words + 1);
    if (pitch * sizeof(T) % 4096 == 0) pitch += word;  // segments that are 4 KiB apart compete for the same cache lines
  }

  std::int64_t rows() const { return std::int64_t{ny} * nz; }
  /// Values from one row to the next, and in a grid.
  std::int64_t row_pitch() const { return std::int64_t{pitch} * L::directions; }
  std::int64_t values() const { return row_pitch() * rows() + 2 * word; }
  std::int64_t row_start(std::int64_t row) const { return origin + row_pitch() * row; }
  /// Index of population i of cell x of a row.
  std::int64_t at(int i, int x, std::int64_t row) const { return row_start(row) + std::int64_t{i} * pitch + x; }
  /// Calls use(index) for a population's place, and for its copy in the padding for the periodic neighbour.
  template <class Use>
  void each_place(int i, int x, std::int64_t row, Use&& use) const {
    use(at(i, x, row));
    if (x == 0 && L::cx[i] < 0) use(at(i, nx, row));
    if (x == nx - 1 && L::cx[i] > 0) use(at(i, -1, row));
  }

  /// One bit per cell, 1 = solid, `words` words per row; bits beyond nx are set.
  std::vector<std::uint32_t> solid_words(const std::vector<std::uint8_t>& solid) const {
    std::vector<std::uint32_t> bits(static_cast<std::size_t>(words * rows()));
    for (std::int64_t row = 0; row < rows(); ++row)
      for (int x = 0; x < words * word; ++x)
        if (x >= nx || solid[static_cast<std::size_t>(nx * row + x)])
          bits[static_cast<std::size_t>(words * row + x / word)] |= 1u << x % word;
    return bits;
  }
};

/// Rows of vectors whose columns are spread over their lanes, for a processor: those of
/// common/lbm/cpu/in_place_grid.hpp.
template <class T, class L>
struct LaneLayout {
  int nx = 0, ny = 0, nz = 1;
  lbm::GridLayout<L> grid = {0, 0, 1, sizeof(T)};

  LaneLayout() = default;
  LaneLayout(const lbm::Parameters& p, int lanes) : nx(p.nx), ny(p.ny), nz(p.nz), grid(p.nx, p.ny, lanes, sizeof(T)) {}

  std::int64_t rows() const { return std::int64_t{ny} * nz; }
  std::int64_t row_pitch() const { return static_cast<std::int64_t>(grid.pitch); }
  std::int64_t plane_pitch() const { return static_cast<std::int64_t>(grid.plane_pitch); }
  std::int64_t values() const { return plane_pitch() * nz; }
  std::int64_t row_start(std::int64_t row) const { return plane_pitch() * (row / ny) + row_pitch() * (row % ny); }
  std::int64_t at(int i, int x, std::int64_t row) const {
    return row_start(row) + static_cast<std::int64_t>(grid.columns.place(i, x));
  }
  template <class Use>
  void each_place(int i, int x, std::int64_t row, Use&& use) const {
    use(at(i, x, row));
  }

  /// A word per vector, row after row, as in VectorRow.
  std::vector<std::uint32_t> solid_words(const std::vector<std::uint8_t>& solid) const {
    const auto vectors = static_cast<std::size_t>(grid.columns.vectors()), width = static_cast<std::size_t>(nx);
    std::vector<std::uint32_t> words(vectors * static_cast<std::size_t>(rows()));
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows()); ++row)
      grid.columns.find_solid(std::span(solid).subspan(width * row, width),
                              std::span(words).subspan(vectors * row, vectors),
                              L::dimension == 3 ? lbm::RowJob<T, lbm::D3Q19>::padding_shift : 0);
    return words;
  }
};

// Moving walls: their push on the fluid after each step, on the device.

/// Push of a moving wall on one value of a grid after a step.
template <class T>
struct WallGain {
  std::int64_t cell;   ///< that moves, in row-by-row order
  std::int64_t value;  ///< index in the grid
  T gain;
};

/// The pushes for a region, by parts of the grid: the cells of a team, or a row.
template <class T>
struct MovingWalls {
  const std::int32_t* begin;    ///< part t has numbers begin[t] .. begin[t + 1] - 1
  const WallGain<T>* gains[2];  ///< after steps of even and of odd number
};

#pragma omp begin declare target

/// Called by all threads of a team when it has done a step, `odd` or not; `walls` is null if nothing moves.
template <class T>
KERNEL_FN void add_wall_gains(const MovingWalls<T>* walls, int odd, T* grid) {
  if (walls == nullptr) return;
#pragma omp barrier
  const int team = omp_get_team_num(), end = walls->begin[team + 1];
  const WallGain<T>* const gains = walls->gains[odd];
  for (int i = walls->begin[team] + omp_get_thread_num(); i < end; i += omp_get_num_threads())
    grid[gains[i].value] += gains[i].gain;
}

#pragma omp end declare target

/// The host's side.
template <class T>
class WallGains {
 public:
  WallGains() = default;
  /// Pushes after steps of even and of odd number, by ascending cell; equally many for both.
  WallGains(const std::array<std::vector<WallGain<T>>, 2>& gains, int device)
      : device_(device), gains_(static_cast<std::int64_t>(2 * gains[0].size()), device) {
    for (const auto& gain : gains[0]) cells_.push_back(gain.cell);
    for (int odd = 0; odd < 2; ++odd) gains_.write(odd * count(), count(), gains[odd].data());
  }

  /// Divides them into parts of this many cells each, in row-by-row order.
  void divide(std::int64_t parts, std::int64_t cells) {
    std::vector<std::int32_t> begin;
    for (std::int64_t part = 0; part <= parts; ++part)
      begin.push_back(
          static_cast<std::int32_t>(std::lower_bound(cells_.begin(), cells_.end(), part * cells) - cells_.begin()));
    begin_ = openmp_target::on_device(begin, device_);
    walls_ =
        openmp_target::on_device<MovingWalls<T>>({{begin_.data(), {gains_.data(), gains_.data() + count()}}}, device_);
  }
  const MovingWalls<T>* on_device() const { return cells_.empty() ? nullptr : walls_.data(); }

 private:
  std::int64_t count() const { return static_cast<std::int64_t>(cells_.size()); }

  int device_ = 0;
  std::vector<std::int64_t> cells_;
  DeviceArray<std::int32_t> begin_;
  DeviceArray<WallGain<T>> gains_;
  DeviceArray<MovingWalls<T>> walls_;
};

}  // namespace boltzmark::openmp_target
