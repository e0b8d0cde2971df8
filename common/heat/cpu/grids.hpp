// Two grids in this machine's memory: current temperatures, and those one step later.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "common/cpu/aligned.hpp"
#include "common/heat/plate.hpp"

namespace boltzmark::heat {

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

}  // namespace boltzmark::heat
