// Out of line: compiled once, so that all models start from the same bits whatever their flags.
#include "common/heat/plate.hpp"

#include <cmath>
#include <numbers>

namespace boltzmark::heat {
namespace {

/// From 0 to 1; a mixture of the bits of a cell's place.
double noise_at(std::int64_t row, std::int64_t column) {
  std::uint32_t mixed =
      static_cast<std::uint32_t>(row) * 0x9e3779b1u + static_cast<std::uint32_t>(column) * 0x85ebca77u;
  mixed = (mixed ^ (mixed >> 15)) * 0x2c1b3c6du;
  mixed = (mixed ^ (mixed >> 12)) * 0x297a2d39u;
  return (mixed ^ (mixed >> 15)) / 4294967296.0;
}

double phase(int waves, std::int64_t cells) { return std::numbers::pi * waves / static_cast<double>(cells + 1); }

}  // namespace

double Plate::at(std::int64_t row, std::int64_t column) const {
  const bool is_border = row < 0 || row == height || column < 0 || column == width;
  if (start == Start::mode)
    return is_border ? 0.0
                     : std::sin(phase(waves_x, width) * static_cast<double>(column + 1)) *
                           std::sin(phase(waves_y, height) * static_cast<double>(row + 1));
  if (is_border) return row < 0 ? hot : cold;
  return start == Start::noise ? cold + (hot - cold) * noise_at(row, column) : 0.0;
}

double Plate::decay() const {
  return 0.2 * (1.0 + 2.0 * std::cos(phase(waves_x, width)) + 2.0 * std::cos(phase(waves_y, height)));
}

}  // namespace boltzmark::heat
