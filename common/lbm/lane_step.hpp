// Steps of lattice Boltzmann in one source for processors and GPUs: an index is a row for a processor's thread, which
// takes it in vectors, or a cell for a GPU's (common/cpu/lanes.hpp).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "common/cpu/lanes.hpp"
#include "common/lbm/relaxation.hpp"
#include "common/lbm/start_state.hpp"

namespace boltzmark::lbm {

/// A grid of populations: row (through all planes), direction, column. Rows are filled up to whole vectors of type Real.
template <class Real, class L>
struct LaneGrid {
  using T = typename RealTraits<Real>::Scalar;
  static constexpr int lanes = lanes_in<Real>;

  int nx = 0, ny = 0, rows = 0;
  int vectors = 0;  ///< of a row
  int pitch = 0;    ///< values from one direction's row to the next one's

  LaneGrid() = default;
  explicit LaneGrid(const Parameters& p) : nx(p.nx), ny(p.ny), rows(p.ny * p.nz), vectors((p.nx + lanes - 1) / lanes) {
    // Arrays of directions that are 4 KiB apart compete for the same places of a cache.
    const int columns = vectors * lanes;
    pitch = columns + (columns * sizeof(T) % 4096 == 0 ? 64 / static_cast<int>(sizeof(T)) : 0);
  }

  std::int64_t values() const { return at(rows, 0, 0); }
  KERNEL_FN std::int64_t at(int row, int i, int x) const {
    return (static_cast<std::int64_t>(row) * L::directions + i) * pitch + x;
  }

  /// The populations that a run starts with to `grid`, but for zeros, with the body force of the first step: that of a
  /// later one is the end of the step before. Returns a word for each vector, row by row: a bit a cell, 1 where it is
  /// solid or beyond nx.
  std::vector<std::uint32_t> start(const Problem& problem, const Relaxation<T, L>& relaxation, T* grid) const {
    const Parameters& p = problem.parameters;
    const std::vector<std::uint8_t> solid = problem.solid_mask();
    std::vector<std::uint32_t> words(static_cast<std::size_t>(rows) * vectors);
    for (int row = 0; row < rows; ++row)
      for (int x = 0; x < vectors * lanes; ++x) {
        const bool is_solid = x >= nx || solid[static_cast<std::size_t>(row) * nx + x] != 0;
        words[static_cast<std::size_t>(row) * vectors + x / lanes] |= std::uint32_t{is_solid} << x % lanes;
        if (x >= nx) continue;
        const auto cell = start_of(p, x, row % ny, row / ny, is_solid, row % ny == p.driven_row(), relaxation);
        for (int i = 0; i < L::directions; ++i) grid[at(row, i, x)] = cell.f[i];
      }
    return words;
  }
};

/// A step as a kernel, from one grid to another, which returns |u| of fluid cells, in units of speed_unit.
template <class Real, class L>
struct LaneStep {
  using T = typename RealTraits<Real>::Scalar;
  static constexpr int lanes = lanes_in<Real>;
  using Directions = std::make_integer_sequence<int, L::directions>;

  LaneGrid<Real, L> grid;
  const T* from;
  T* to;
  const std::uint32_t* solid;  ///< as LaneGrid::start() returns them
  int driven_row;
  Relaxation<T, L> relaxation;

  KERNEL_FN double update_row(int row) const {
    return row % grid.ny == driven_row ? update_row<true>(row) : update_row<false>(row);
  }
  KERNEL_FN double update_vector(int row, int vector) const {
    Real speeds = Real{};
    if (row % grid.ny == driven_row)
      update_vector<true>(row_of(row, Directions{}), vector, speeds);
    else
      update_vector<false>(row_of(row, Directions{}), vector, speeds);
    return sum_of_lanes(speeds);
  }

 private:
  /// Where a row's populations come from, each direction's column 0, and go to.
  struct Row {
    const T* from[L::directions];
    T* to;
    const std::uint32_t* solid;
  };
  template <int... I>
  KERNEL_FN Row row_of(int row, std::integer_sequence<int, I...>) const {
    const int y = row % grid.ny, plane = row - y;
    return {{from +
             grid.at(within(plane - Direction<L, I>::z * grid.ny, grid.rows) + within(y - Direction<L, I>::y, grid.ny),
                     I, 0)...},
            to + grid.at(row, 0, 0),
            solid + static_cast<std::int64_t>(row) * grid.vectors};
  }
  static KERNEL_FN int within(int number, int count) {
    return number < 0 ? number + count : number >= count ? number - count : number;
  }

  template <bool is_driven>
  KERNEL_FN double update_row(int row) const {
    const Row of = row_of(row, Directions{});
    double sum = 0.0;
    for (int begin = 0; begin < grid.vectors; begin += most_speeds_a_lane) {
      const int end = begin + most_speeds_a_lane < grid.vectors ? begin + most_speeds_a_lane : grid.vectors;
      Real recent = Real{};
      for (int vector = begin; vector < end; ++vector) update_vector<is_driven>(of, vector, recent);
      sum += sum_of_lanes(recent);
    }
    return sum;
  }
  /// Most vectors have neighbours on either side: one question for all directions.
  template <bool is_driven>
  KERNEL_FN void update_vector(const Row& row, int vector, Real& speeds) const {
    if (vector > 0 && (vector + 1) * lanes < grid.nx)
      update<is_driven, true>(row, vector, speeds, Directions{});
    else
      update<is_driven, false>(row, vector, speeds, Directions{});
  }
  template <bool is_driven, bool is_inside, int... I>
  KERNEL_FN void update(const Row& row, int vector, Real& speeds, std::integer_sequence<int, I...>) const {
    const int x = vector * lanes;
    const std::uint32_t bits = row.solid[vector];
    const Populations<Real, L> arrived = {{load_from<is_inside, -Direction<L, I>::x>(row.from[I], x)...}};
    const Populations<Real, L> leaving = update_cell(arrived, moments_of(arrived, relaxation), mask_of<Real>(bits),
                                                     bits != 0, is_driven, relaxation, &speeds);
    (store(leaving.f[I], row.to + I * grid.pitch + x), ...);
  }

  /// The columns `by` off x .. , round the edges; any numbers for cells beyond nx.
  template <bool is_inside, int by>
  KERNEL_FN Real load_from(const T* row, int x) const {
    if (is_inside || by == 0) return load<Real>(row + x + by);
    const int cells = x + lanes < grid.nx ? lanes : grid.nx - x;
    T values[lanes + 2];
    __builtin_memcpy(values + 1, row + x, lanes * sizeof(T));
    values[lanes + 1] = 0;  // of a cell beyond nx, which must be a number
    values[0] = row[within(x - 1, grid.nx)];
    values[cells + 1] = row[within(x + cells, grid.nx)];
    return load<Real>(values + 1 + by);
  }
};

}  // namespace boltzmark::lbm
