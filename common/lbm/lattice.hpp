// The D2Q9 lattice as tables: velocities, weights, opposites. The collision in cell.h and the OpenCL kernels
// are written out for it.
#pragma once

#include <array>

namespace boltzmark::lbm {

/// Nine velocities in two dimensions (Qian, d'Humieres and Lallemand 1992), numbered
///     6 2 5
///     3 0 1
///     7 4 8
struct D2Q9 {
  static constexpr int dimension = 2;
  static constexpr int directions = 9;
  static constexpr std::array<int, 9> cx = {0, 1, 0, -1, 0, 1, -1, -1, 1};
  static constexpr std::array<int, 9> cy = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  static constexpr std::array<int, 9> opposite = {0, 3, 4, 1, 2, 7, 8, 5, 6};
  static constexpr std::array<double, 9> weight = {4.0 / 9,  1.0 / 9,  1.0 / 9,  1.0 / 9, 1.0 / 9,
                                                   1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};
};

using Lattice = D2Q9;

}  // namespace boltzmark::lbm
