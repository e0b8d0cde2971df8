// Where the columns of a row lie whose vectors have columns spread over their lanes; in_place_strip.hpp draws it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/lbm/cpu/row_kernels.hpp"
#include "common/lbm/lattice.hpp"

namespace boltzmark::lbm {

/// A population of a boundary column, and its ghost, where the update of a row looks for the periodic neighbour.
struct LaneGhost {
  int row;  ///< 0 south, 1 this, 2 north
  std::int64_t boundary, ghost;
};

struct LaneRow {
  int nx, lanes;

  int vectors() const { return static_cast<int>((static_cast<std::int64_t>(nx) + lanes - 1) / lanes); }
  /// Values from one row to the next, at least `values`. A processor tells a load from the stores before it by
  /// the last twelve bits of their addresses, so it matters how rows lie modulo 4 KiB: 46 cache lines is best
  /// or nearly so for rows of 8, 16 and 64 vectors (measured on Zen 4; the worst distances cost 10 to 20 %).
  static std::size_t padded_pitch(std::size_t values, std::size_t value_bytes) {
    const std::size_t line = 64 / value_bytes, period = 64, best = 46;
    const std::size_t lines = (values + line - 1) / line;
    return (lines + (period + best - lines % period) % period) * line;
  }
  /// Values of so many vectors.
  std::size_t values(int count) const { return std::size_t{D2Q9::directions} * lanes * count; }
  /// Place of direction i in column x.
  std::size_t place(int i, int x) const {
    return values(x % vectors()) + static_cast<std::size_t>(i) * lanes + x / vectors();
  }
  /// One word per vector, bit l of which says that lane l is solid, from one value per column. Columns beyond nx are.
  void find_solid(std::span<const std::uint8_t> mask, std::span<std::uint32_t> words) const {
    for (auto& word : words) word = 0;
    for (int column = 0; column < vectors() * lanes; ++column)
      if (column >= nx || mask[column]) words[column % vectors()] |= 1u << column / vectors();
  }
  /// None where the width is a multiple of the lanes.
  std::vector<LaneGhost> ghosts() const {
    std::vector<LaneGhost> found;
    if (nx % lanes == 0) return found;
    // West of column 0 the update looks into the last lane of the last vector, east of nx-1 into column nx.
    const auto at = [this](int i, int x) { return static_cast<std::int64_t>(place(i, x)); };
    const int west_end = vectors() * lanes - 1;
    for (int i = 0; i < D2Q9::directions; ++i) {
      if (D2Q9::cx[i] > 0) found.push_back({1 - D2Q9::cy[i], at(i, nx - 1), at(i, west_end)});
      if (D2Q9::cx[i] < 0) found.push_back({1 - D2Q9::cy[i], at(i, 0), at(i, nx)});
    }
    return found;
  }
};

/// Before and after the update of a row from its neighbours.
template <class T>
KERNEL_FN void fill_ghosts(const RowJob<T>& job, const LaneGhost* ghosts, int count) {
  T* const rows[] = {job.south, job.row, job.north};
  for (int i = 0; i < count; ++i)
    rows[ghosts[i].row][ghosts[i].ghost] = rows[ghosts[i].row][ghosts[i].boundary];
}
template <class T>
KERNEL_FN void copy_boundary_columns(const RowJob<T>& job, const LaneGhost* ghosts, int count) {
  T* const rows[] = {job.south, job.row, job.north};
  for (int i = 0; i < count; ++i)
    rows[ghosts[i].row][ghosts[i].boundary] = rows[ghosts[i].row][ghosts[i].ghost];
}

}  // namespace boltzmark::lbm
