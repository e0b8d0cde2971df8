// The plate: its cells and their initial temperatures.
#pragma once

#include <cstdint>

namespace boltzmark::heat {

inline constexpr double hot = 40.0, cold = -273.15;

/// Initial temperatures of the plate.
enum class Start {
  border,  ///< as published: row -1 is hot, the other three sides are cold, and the inside is 0
  mode,    ///< an eigenmode between borders of 0, whose temperatures are known in closed form
  noise,   ///< the published border, and pseudo-random temperatures inside, so that every cell changes in every step
};

/// Cells (row, column) of 0 .. height - 1 and 0 .. width - 1, surrounded by a constant border of one cell.
struct Plate {
  std::int64_t width = 1, height = 1;
  Start start = Start::border;
  int waves_x = 1, waves_y = 1;  ///< half waves of the eigenmode

  double cells() const { return static_cast<double>(width) * static_cast<double>(height); }
  /// Bytes of two grids with their borders.
  double bytes(int value_bytes) const {
    return 2.0 * static_cast<double>(width + 2) * static_cast<double>(height + 2) * value_bytes;
  }

  /// Initial temperature of cell (row, column); the border is at -1 and height, -1 and width.
  double at(std::int64_t row, std::int64_t column) const;
  /// The largest absolute temperature at any time.
  double scale() const { return start == Start::mode ? 1.0 : -cold; }
  /// Factor of an eigenmode in a step.
  double decay() const;

  /// Writes columns -1 .. width of this row to `values`.
  template <class T>
  void fill(std::int64_t row, T* values) const {
    for (std::int64_t column = -1; column <= width; ++column) values[column + 1] = static_cast<T>(at(row, column));
  }
};

}  // namespace boltzmark::heat
