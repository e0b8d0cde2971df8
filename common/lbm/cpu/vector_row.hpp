// Places of the columns in a row whose vectors spread columns over their lanes; drawn in in_place_grid.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "common/lbm/cell.h"
#include "common/lbm/cpu/row_kernels.hpp"

namespace boltzmark::lbm {

/// An index up to one period beyond the ends of 0 .. count-1, in a periodic grid.
KERNEL_FN int wrapped(int number, int count) {
  return number < 0 ? number + count : number >= count ? number - count : number;
}

/// A population of a boundary column, and its ghost, in which the update of a row finds the periodic neighbour.
struct RowGhost {
  int row;  ///< 0 south, 1 this, 2 north; in three dimensions of RowJob's nine
  std::int64_t boundary, ghost;
};

template <class L>
struct VectorRow {
  int nx, lanes;

  int vectors() const { return static_cast<int>((static_cast<std::int64_t>(nx) + lanes - 1) / lanes); }
  /// Values from one row to the next, at least `values`. A processor distinguishes a load from earlier stores by the
  /// last twelve bits of their addresses, so the distance of rows modulo 4 KiB matters: 46 cache lines is best or
  /// nearly so for rows of 8, 16 and 64 vectors (measured on Zen 4; the worst distances cost 10 to 20 %).
  static std::size_t padded_pitch(std::size_t values, std::size_t value_bytes) {
    const std::size_t line = 64 / value_bytes, period = 64, best = 46;
    const std::size_t lines = (values + line - 1) / line;
    return (lines + (period + best - lines % period) % period) * line;
  }
  /// Values of this many vectors.
  std::size_t values(int count) const { return static_cast<std::size_t>(L::directions) * lanes * count; }
  /// Place of direction i in column x.
  std::size_t place(int i, int x) const {
    return values(x % vectors()) + static_cast<std::size_t>(i) * lanes + x / vectors();
  }
  /// Places of direction 0 in every column; direction i is i * lanes further on. To go through a grid without the
  /// divisions of place(), three a value.
  std::vector<std::size_t> places() const {
    std::vector<std::size_t> all;
    for (int x = 0; x < nx; ++x) all.push_back(place(0, x));
    return all;
  }
  /// One word per vector, bit l of which says that lane l is solid, from one value per column. Columns beyond nx are,
  /// with their bits from `padding_shift` on.
  void find_solid(std::span<const std::uint8_t> mask, std::span<std::uint32_t> words, int padding_shift = 0) const {
    for (auto& word : words) word = 0;
    for (int column = 0; column < vectors() * lanes; ++column)
      if (column >= nx || mask[column])
        words[column % vectors()] |= 1u << (column / vectors() + (column >= nx ? padding_shift : 0));
  }
  /// Empty if the width is a multiple of the lanes.
  std::vector<RowGhost> ghosts() const {
    std::vector<RowGhost> found;
    if (nx % lanes == 0) return found;
    // West of column 0 the update reads the last lane of the last vector, east of nx-1 column nx.
    const auto at = [this](int i, int x) { return static_cast<std::int64_t>(place(i, x)); };
    const int west_end = vectors() * lanes - 1;
    for (int i = 0; i < L::directions; ++i) {
      const int row = (L::dimension == 3 ? 3 * (1 - L::cz[i]) : 0) + 1 - L::cy[i];
      if (L::cx[i] > 0) found.push_back({row, at(i, nx - 1), at(i, west_end)});
      if (L::cx[i] < 0) found.push_back({row, at(i, 0), at(i, nx)});
    }
    return found;
  }
};

/// A grid of such rows: row after row of a layer, layer after layer. In values.
template <class L>
struct GridLayout {
  VectorRow<L> columns;
  std::size_t pitch;        ///< from row to row
  std::size_t plane_pitch;  ///< from layer to layer: of rows in two dimensions, of planes in three

  GridLayout(int nx, int rows, int lanes, std::size_t value_bytes) : columns{nx, lanes} {
    const std::size_t line = 64 / value_bytes, values = columns.values(columns.vectors());
    pitch = L::dimension == 2 ? columns.padded_pitch(values, value_bytes) : (values + line - 1) / line * line;
    // Without the padding, planes of a power of two would all be in the same sets of the caches.
    plane_pitch = pitch * static_cast<std::size_t>(rows) + (L::dimension == 2 ? 0 : 25 * line);
  }
  /// Rows to prefetch in three dimensions: enough to hide the latency of memory, some forty kilobytes (measured on Zen
  /// 4: a row of 10 KB ahead gives 340, two 390, four 415).
  static int rows_ahead(std::size_t row_bytes) { return static_cast<int>(std::max<std::size_t>(1, 40960 / row_bytes)); }
};

/// Before the update of a job's rows from their neighbours, and after it. No two rows touch the same values.
template <class T, class L>
KERNEL_FN void copy_in_rows(const RowJob<T, L>& job, int number, std::int64_t from, std::int64_t to) {
  T* row = job.rows[number];
  if constexpr (L::dimension == 2)
    row[to] = row[from];
  else
    for (int y = 0; y < job.count; ++y, row += job.pitch) row[to] = row[from];
}
template <class T, class L>
KERNEL_FN void fill_ghosts(const RowJob<T, L>& job, const RowGhost* ghosts, int count) {
  for (int i = 0; i < count; ++i) copy_in_rows(job, ghosts[i].row, ghosts[i].boundary, ghosts[i].ghost);
}
template <class T, class L>
KERNEL_FN void copy_boundary_columns(const RowJob<T, L>& job, const RowGhost* ghosts, int count) {
  for (int i = 0; i < count; ++i) copy_in_rows(job, ghosts[i].row, ghosts[i].ghost, ghosts[i].boundary);
}

/// RowJob::runs of a row, from one word of `solid` per vector.
inline std::vector<std::int32_t> vector_runs(std::span<const std::uint32_t> solid) {
  const auto size = static_cast<std::int32_t>(solid.size());
  std::vector<std::int32_t> runs;
  for (std::int32_t i = 0; i < size; ++i)
    if ((solid[i] != 0) != (runs.size() % 2 != 0)) runs.push_back(i);
  if (runs.size() % 2 != 0) runs.push_back(size);
  runs.insert(runs.end(), {size, size});
  return runs;
}

/// For each row of a plane the number of rows from it on that may be one job; for completely solid rows the negative
/// number of these. The first and the last row have a neighbour at the other end; the driven row has a separate update.
inline std::vector<std::int32_t> plane_runs(int rows, int driven_row, const std::function<bool(int y)>& is_solid) {
  std::vector<std::int32_t> runs(static_cast<std::size_t>(rows));
  for (int y = rows - 1; y >= 0; --y) {
    const bool solid = is_solid(y), alone = y == 0 || y == driven_row;
    const std::int32_t next = y + 1 < rows - 1 && y + 1 != driven_row ? runs[y + 1] : 0;
    runs[y] = solid ? std::min(next, 0) - 1 : alone ? 1 : std::max(next, 0) + 1;
  }
  return runs;
}

/// A time step of `count` rows of plane z from row `begin` on, periodic in the plane, by grid.update_rows(). With them
/// it prefetches the part of plane ahead.later_z, of rows `lead` further on, and the rows that the same thread updates
/// next: later ones of these rows, then their first ones in plane ahead.next_z.
template <class Grid>
double update_in_turn(Grid& grid, int begin, int count, int z, int step, bool last_step, RowsAhead ahead, int lead) {
  const int rows = grid.rows(), later = std::min(grid.rows_ahead(), count), next_z = ahead.next_z;
  double sum = 0.0;
  for (int row = 0; row < count;) {
    const bool here = row + later < count;
    const int y = (begin + row) % rows;
    ahead.next_y = (begin + row + (here ? later : later - count)) % rows;
    ahead.next_z = here ? z : next_z;
    ahead.later_y = (begin + row + lead) % rows;
    const int left = (here ? count - later : count) - row;
    const int together = std::min(std::min(left, rows - y), rows - std::max(ahead.next_y, ahead.later_y));
    sum += grid.update_rows(y, together, z, step, last_step, ahead);
    row += together;
  }
  return sum;
}

/// The job of `count` rows of plane z from row y on, without their solid cells; row_of(y, z) is the start of a row,
/// also one beyond the ends.
template <class T, class RowOf>
KERNEL_FN RowJob<T, D3Q19> plane_row_job(int y, int count, int z, const GridLayout<D3Q19>& layout,
                                         const RowsAhead& ahead, RowOf&& row_of) {
  RowJob<T, D3Q19> job;
  for (int k = 0; k < 9; ++k) job.rows[k] = row_of(y + k % 3 - 1, z + k / 3 - 1);
  job.vectors = layout.columns.vectors();
  job.count = count;
  job.pitch = static_cast<std::ptrdiff_t>(layout.pitch);
  job.next = row_of(ahead.next_y, ahead.next_z) - job.rows[4];
  const int vector_lines = (static_cast<int>(sizeof(T)) * D3Q19::directions * layout.columns.lanes + 63) / 64;
  job.lines_per_vector = ahead.parts == 0 ? 0 : (vector_lines + ahead.parts - 1) / ahead.parts;
  job.later = reinterpret_cast<const char*>(row_of(ahead.later_y, ahead.later_z)) +
              std::int64_t{64} * job.lines_per_vector * job.vectors * ahead.part;
  return job;
}

}  // namespace boltzmark::lbm
