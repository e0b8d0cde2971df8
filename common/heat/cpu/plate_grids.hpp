// A plate in this machine's memory, or some of its rows, for the loops of the CPU models.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "common/base/real.h"
#include "common/cpu/aligned.hpp"
#include "common/cpu/processors.hpp"
#include "common/cpu/range.hpp"
#include "common/cpu/simd.hpp"
#include "common/heat/plate.hpp"
#include "common/run/workers.hpp"

namespace boltzmark::heat {

// Two grids in this machine's memory: current temperatures, and those one step later.

/// Addresses of the rows of both grids.
template <class T>
struct GridRows {
  std::ptrdiff_t pitch = 0;  ///< values from row to row
  T* row_0[2] = {};          ///< column 0 of row 0 in the grid of even steps, and in that of odd ones

  T* row(int grid, std::int64_t y) { return row_0[grid & 1] + y * pitch; }
  const T* row(int grid, std::int64_t y) const { return row_0[grid & 1] + y * pitch; }
};

/// Rows -1 .. rows of a plate, or some of them. Column 0 of every row begins a cache line.
template <class T>
class Grids : public GridRows<T> {
  using GridRows<T>::row_0;

 public:
  using GridRows<T>::pitch, GridRows<T>::row;

  static constexpr std::ptrdiff_t line = 64 / sizeof(T), half_page = 2048 / sizeof(T);

  Grids() = default;
  /// Allocates memory without touching it.
  Grids(std::int64_t width, std::int64_t rows) {
    pitch = pitch_for(width);
    const auto values = static_cast<std::size_t>((rows + 2) * pitch + line);
    for (int i = 0; i < 2; ++i) {
      // Without this offset, the same place in both grids would have the same offset in a page, and reads would wait
      // for writes with which they seem to conflict.
      memory_[i] = AlignedArray<T>(values + i * half_page);
      row_0[i] = memory_[i].data() + i * half_page + pitch + line;
    }
  }

  static std::ptrdiff_t pitch_for(std::int64_t width) {
    const std::ptrdiff_t whole_lines = (line + width + 1 + line - 1) / line * line;
    // Rows a page, or a large part of one, apart would compete for the same few sets of a cache.
    return whole_lines % half_page == 0 ? whole_lines + line : whole_lines;
  }

  /// Row y of both becomes row `of_plate`; in the grid of odd steps only the border, while the inside, which the first
  /// step must write, is NaN.
  void fill(const Plate& plate, std::int64_t y, std::int64_t of_plate) {
    plate.fill(of_plate, row(0, y) - 1);
    std::copy_n(row(0, y) - 1, plate.width + 2, row(1, y) - 1);
    if (of_plate >= 0 && of_plate < plate.height)
      std::fill_n(row(1, y), plate.width, std::numeric_limits<T>::quiet_NaN());
  }

 private:
  std::array<AlignedArray<T>, 2> memory_;
};

// Rows updated in vector registers, and a step of some of them.

template <class T, int lanes>
struct RowKernels {
  using Vector = Pack<T, lanes>;

  /// Columns 0 .. width - 1 of `rows` rows: `to` becomes one step later than `from`, whose rows are `pitch` apart and
  /// surrounded by their neighbours. Returns the sum of the changes. A value that two adjacent rows need as a neighbour
  /// is read once for both. With `past_caches` column 0 of `to` begins a vector, and the caller ends with streamed().
  template <int rows, bool past_caches = false>
  static double update(const T* from, T* to, std::ptrdiff_t pitch, std::ptrdiff_t width) {
    Vector changes[rows];
    for (auto& change : changes) change = Vector::zero();
    std::ptrdiff_t x = 0;
    for (; x + lanes <= width; x += lanes) {
      Vector north = Vector::load(from - pitch + x), centre = Vector::load(from + x);
      for (int y = 0; y < rows; ++y) {
        const T* const at = from + y * pitch + x;
        const Vector south = Vector::load(at + pitch), sides = Vector::load(at - 1) + Vector::load(at + 1);
        const Vector later = (centre + (north + south) + sides) * T(0.2);
        if constexpr (past_caches)
          store_past_caches(later, to + y * pitch + x);
        else
          later.store(to + y * pitch + x);
        changes[y] = changes[y] + absolute(later - centre);
        north = centre;
        centre = south;
      }
    }
    Vector all = changes[0];
    for (int y = 1; y < rows; ++y) all = all + changes[y];
    double delta = static_cast<double>(all.sum());
    for (; x < width; ++x)
      for (int y = 0; y < rows; ++y) delta += update_cell(from + y * pitch + x, to + y * pitch + x, pitch);
    return delta;
  }

 private:
  static double update_cell(const T* from, T* to, std::ptrdiff_t pitch) {
    *to = T(0.2) * (*from + (from[-pitch] + from[pitch]) + (from[-1] + from[1]));
    return static_cast<double>(std::abs(*to - *from));
  }
};

/// Whether the two grids exceed the last-level caches, so that written values are not read again from caches.
inline bool is_beyond_caches(const Plate& plate, int value_bytes) {
  return plate.bytes(value_bytes) > static_cast<double>(last_level_cache_bytes(usable_processors()));
}

/// Updates rows begin .. end - 1 of the grid `to` from the previous grid `from`, both pointers to column 0 of row 0;
/// returns the sum of the changes. Four rows at once: a core waits less for memory that it reads in several places.
template <class T, int lanes>
double update_rows(const T* from, T* to, std::ptrdiff_t pitch, std::int64_t begin, std::int64_t end,
                   std::ptrdiff_t width, bool past_caches) {
  constexpr int at_once = 4;
  using Rows = RowKernels<T, lanes>;
  const auto update = [&]<int rows>(std::integral_constant<int, rows>, std::int64_t y) {
    return past_caches ? Rows::template update<rows, true>(from + y * pitch, to + y * pitch, pitch, width)
                       : Rows::template update<rows>(from + y * pitch, to + y * pitch, pitch, width);
  };
  double delta = 0.0;
  std::int64_t y = begin;
  for (; y + at_once <= end; y += at_once) delta += update(std::integral_constant<int, at_once>(), y);
  for (; y < end; ++y) delta += update(std::integral_constant<int, 1>(), y);
  if (past_caches) streamed();
  return delta;
}
/// For the grid that follows `grid`.
template <class T, int lanes>
double update_rows(Grids<T>& grids, int grid, std::int64_t begin, std::int64_t end, std::int64_t width,
                   bool past_caches) {
  return update_rows<T, lanes>(grids.row(grid, 0), grids.row(grid + 1, 0), grids.pitch, begin, end, width, past_caches);
}

template <class T>
struct PlateGrids {
  Plate plate;
  std::int64_t rows = 0;  ///< in this process
  Grids<T> grids;
  int now = 0;               ///< the grid with the current temperatures
  bool past_caches = false;  ///< whether the grids exceed the caches, so that results are stored past them

  PlateGrids() = default;
  /// Makes these rows of the plate; each worker sets its share of rows and border.
  PlateGrids(const Plate& of, Range some, const Workers& workers)
      : plate(of), rows(some.size()), grids(of.width, rows), past_caches(is_beyond_caches(of, sizeof(T))) {
    workers.run([&](int me) {
      const Range mine = part_of(rows, me, workers.count);
      const std::int64_t end = me == workers.count - 1 ? rows + 1 : mine.end;
      for (std::int64_t row = me == 0 ? -1 : mine.begin; row < end; ++row) grids.fill(plate, row, some.begin + row);
    });
  }

  /// The first loop of a textbook's step, on row y: writes new temperatures to a work array, the other grid.
  KERNEL_FN void row_to_work(std::int64_t y) {
    const T *const north = grids.row(0, y - 1), *const row = grids.row(0, y), *const south = grids.row(0, y + 1);
    T* const work = grids.row(1, y);
    const std::int64_t width = plate.width;
    for (std::int64_t x = 0; x < width; ++x)
      work[x] = T(0.2) * (row[x] + north[x] + south[x] + row[x - 1] + row[x + 1]);
  }
  /// The second loop: copies them back and adds the changes to delta.
  KERNEL_FN void row_to_plate(std::int64_t y, double& delta) {
    const T* const work = grids.row(1, y);
    T* const row = grids.row(0, y);
    const std::int64_t width = plate.width;
    for (std::int64_t x = 0; x < width; ++x) {
      delta += std::abs(work[x] - row[x]);
      row[x] = work[x];
    }
  }
  /// A whole step on row y if the grids are exchanged: writes new temperatures to the other grid and adds the changes.
  KERNEL_FN void row_to_other(std::int64_t y, double& delta) {
    const T *const north = grids.row(now, y - 1), *const row = grids.row(now, y), *const south = grids.row(now, y + 1);
    T* const next = grids.row(now + 1, y);
    const std::int64_t width = plate.width;
    for (std::int64_t x = 0; x < width; ++x) {
      next[x] = T(0.2) * (row[x] + north[x] + south[x] + row[x - 1] + row[x + 1]);
      delta += std::abs(next[x] - row[x]);
    }
  }
};

/// Traffic of a textbook: the work array is written and read, the plate read twice and written.
template <class T>
RunFacts facts_of_textbook() {
  return {.bytes_per_update = 5.0 * sizeof(T), .fetched_per_update = sizeof(T)};
}
/// Traffic of a step from one grid to the other, and the same in vectors.
template <class T>
RunFacts facts_of_step() {
  return {.bytes_per_update = 2.0 * sizeof(T), .fetched_per_update = sizeof(T)};
}
template <class T>
RunFacts facts_of_vectors(const PlateGrids<T>& at, int lanes) {
  RunFacts facts = facts_of_step<T>();
  facts.write_allocate = !at.past_caches;
  facts.settings = {{"vvl", lanes}};
  return facts;
}

}  // namespace boltzmark::heat
