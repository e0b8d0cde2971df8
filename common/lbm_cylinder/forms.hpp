// Definitions shared by the case of the flow past a cylinder and its code.
#pragma once

#include <array>
#include <cstdint>

namespace boltzmark::lbm_cylinder {

inline constexpr int directions = 9;
/// Directions as numbered by Latt's script and Benchpress: 6 2 5 / 3 0 1 / 7 4 8, x to the right.
inline constexpr std::array<int, directions> cx = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy = {0, 0, 1, 0, -1, 1, 1, -1, -1},
                                             opposite = {0, 3, 4, 1, 2, 7, 8, 5, 6};

/// In Problem::numbers.
enum Number { omega, largest_speed };

/// Walls below and above, and the cylinder; x and y from 0, height and width with the walls.
inline bool is_obstacle(std::int64_t x, std::int64_t y, std::int64_t height, std::int64_t width) {
  const double h = static_cast<double>(height), dx = static_cast<double>(x) - static_cast<double>(width) / 5.0 - 1.0,
               dy = static_cast<double>(y) - h / 2.0, radius = h / 10.0 + 1.0;
  return y == 0 || y == height - 1 || dx * dx + dy * dy <= radius * radius;
}

}  // namespace boltzmark::lbm_cylinder
