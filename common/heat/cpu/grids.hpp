// Two grids in this machine's memory: current temperatures, and those one step later.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "common/cpu/aligned.hpp"
#include "common/heat/plate.hpp"

namespace boltzmark::heat {

/// Rows -1 .. rows, or fewer: those of a plate, or some of them. Column 0 of every row begins a cache line.
template <class T>
class Grids {
 public:
  Grids() = default;
  /// Memory not touched yet.
  Grids(std::int64_t width, std::int64_t rows) : pitch_(pitch_for(width)) {
    const auto values = static_cast<std::size_t>((rows + 2) * pitch_ + line);
    for (int i = 0; i < 2; ++i) {
      // The same place in both would be the same place of a page: reads would wait for writes that they seem to meet.
      memory_[i] = AlignedArray<T>(values + i * half_page);
      row_0_[i] = memory_[i].data() + i * half_page + pitch_ + line;
    }
  }

  std::ptrdiff_t pitch() const { return pitch_; }
  /// Column 0 of a row, in the grid of even steps (0) or of odd ones (1).
  T* row(int grid, std::int64_t y) { return row_0_[grid & 1] + y * pitch_; }
  const T* row(int grid, std::int64_t y) const { return row_0_[grid & 1] + y * pitch_; }

  /// Row y of both becomes row `of_plate`; of the grid of odd steps that is the border alone, and what is inside, which
  /// the first step is to write, is not a number.
  void fill(const Plate& plate, std::int64_t y, std::int64_t of_plate) {
    plate.fill(of_plate, row(0, y) - 1);
    std::copy_n(row(0, y) - 1, plate.width + 2, row(1, y) - 1);
    if (of_plate >= 0 && of_plate < plate.height)
      std::fill_n(row(1, y), plate.width, std::numeric_limits<T>::quiet_NaN());
  }

 private:
  static constexpr std::ptrdiff_t line = 64 / sizeof(T), half_page = 2048 / sizeof(T);
  static std::ptrdiff_t pitch_for(std::int64_t width) {
    std::ptrdiff_t pitch = (line + width + 1 + line - 1) / line * line;
    // Rows a page apart, or a large part of one, would compete for the same few places of a cache.
    if (pitch % half_page == 0) pitch += line;
    return pitch;
  }

  std::ptrdiff_t pitch_ = 0;
  std::array<AlignedArray<T>, 2> memory_;
  std::array<T*, 2> row_0_ = {};
};

}  // namespace boltzmark::heat
