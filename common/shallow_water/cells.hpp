// Facts about the water that are independent of models.
#pragma once

#include <array>

#include "common/target/layer.hpp"

namespace boltzmark::shallow_water {

struct Form {
  enum : int { fused, array };
};

constexpr double g = 9.80665, time_step = 0.02;

/// Height, momentum along columns and along rows, surrounded by a border of one cell; in C order.
struct Cells {
  std::int64_t rows = 0, columns = 0;
  std::array<std::vector<double>, 3> values = {};

  std::size_t at(std::int64_t row, std::int64_t column) const {
    return static_cast<std::size_t>(row * columns + column);
  }
};
inline const std::array<std::string, 3> names = {"H", "U", "V"};

/// The border becomes the mirror image of the cells next to it.
void reflect(Cells& water);
/// Steps in double precision. The border has no meaning afterwards.
void advance(Cells& water, std::int64_t steps);

}  // namespace boltzmark::shallow_water
