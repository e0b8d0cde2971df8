// Compiled once: all models start from the same bits, independently of their flags, and the oracle is fast in tests,
// too.
#include "common/heat/oracle.hpp"

#include <numbers>

namespace boltzmark::heat {
namespace {

/// From 0 to 1; a hash of a cell's place.
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

void Oracle::step() {
  struct Sums {
    double delta = 0.0, magnitude = 0.0;
  };
  Sums all;
  for (const Sums& of_block : blocks_in_parallel(plate_.height, rows_at_once(), [this](Range rows) {
         Sums sums;
         for (std::int64_t row = rows.begin; row < rows.end; ++row) {
           Sums of_row;
           for (std::int64_t column = 0; column < plate_.width; ++column) {
             const double centre = now_[index(row, column)];
             const double sum = centre + now_[index(row - 1, column)] + now_[index(row + 1, column)] +
                                now_[index(row, column - 1)] + now_[index(row, column + 1)];
             next_[index(row, column)] = 0.2 * sum;
             of_row.delta += std::abs(0.2 * sum - centre);
             of_row.magnitude += std::abs(0.2 * sum);
           }
           sums.delta += of_row.delta;
           sums.magnitude += of_row.magnitude;
         }
         return sums;
       })) {
    all.delta += of_block.delta;
    all.magnitude += of_block.magnitude;
  }
  std::swap(now_, next_);
  deltas_.push_back(all.delta);
  magnitudes_.push_back(all.magnitude);
}

}  // namespace boltzmark::heat
