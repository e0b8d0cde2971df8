// The reference: the same steps in double precision, as plain as possible; for an eigenmode the theory.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "common/base/difference.hpp"
#include "common/cpu/aligned.hpp"
#include "common/cpu/blocks_in_parallel.hpp"
#include "common/cpu/memory.hpp"
#include "common/heat/plate.hpp"

namespace boltzmark::heat {

/// Copies a row of the temperatures to be checked into `values`; on any thread.
using ReadRow = std::function<void(std::int64_t row, std::span<double> values)>;

class Oracle {
 public:
  explicit Oracle(const Plate& plate) : plate_(plate) {}

  /// Advances to the state after this many steps, from the start if necessary.
  void go_to(int steps) {
    if (now_.size() == 0 || steps < static_cast<int>(deltas_.size())) begin();
    while (static_cast<int>(deltas_.size()) < steps) plate_.start == Start::mode ? decay() : step();
  }

  /// Deltas of all steps so far.
  const std::vector<double>& deltas() const { return deltas_; }
  double temperature(std::int64_t row, std::int64_t column) const { return shrunk_ * now_[index(row, column)]; }

  /// The largest difference of a temperature from the right one, relative to the largest temperature. Infinite if one
  /// is NaN.
  double field_error(const ReadRow& read) const {
    return std::ranges::max(blocks_in_parallel(plate_.height, rows_at_once(), [&](Range rows) {
      std::vector<double> found(static_cast<std::size_t>(plate_.width));
      double worst = 0.0;
      for (std::int64_t row = rows.begin; row < rows.end; ++row) {
        read(row, found);
        for (std::int64_t column = 0; column < plate_.width; ++column)
          worst = larger_error(worst, std::abs(found[column] - temperature(row, column)) / plate_.scale());
      }
      return worst;
    }));
  }

  /// The same for the deltas, relative to the summed temperatures: each change is the difference of two rounded
  /// temperatures.
  double delta_error(std::span<const double> deltas, int value_bytes = 8) const {
    // Programs flush denormals to zero: smaller sums of changes are rounded away.
    const double least_scale =
        4.0 * plate_.cells() *
        (value_bytes == 4 ? double{std::numeric_limits<float>::min()} : std::numeric_limits<double>::min()) /
        tolerance(value_bytes, static_cast<int>(deltas.size()));
    double worst = 0.0;
    for (std::size_t step = 0; step < deltas.size(); ++step) {
      const double scale = deltas_.at(step) + magnitudes_.at(step);
      worst = larger_error(worst, std::abs(deltas[step] - deltas_[step]) / std::max(scale, least_scale));
    }
    return worst;
  }

  /// Bound of rounding errors: a step takes means, which do not amplify errors, and adds one error. The constant covers
  /// sums, even of many millions of doubles one by one.
  static double tolerance(int value_bytes, int steps) {
    if (value_bytes == 4) return std::numeric_limits<float>::epsilon() * (256.0 + steps);
    return std::numeric_limits<double>::epsilon() * (8192.0 + steps);
  }

 private:
  std::size_t index(std::int64_t row, std::int64_t column) const {
    return static_cast<std::size_t>((row + 1) * (plate_.width + 2) + column + 1);
  }

  /// Enough for a core that has to be woken.
  std::int64_t rows_at_once() const { return 1 + (1 << 17) / plate_.width; }

  void begin() {
    if (now_.size() == 0) {
      require_memory("the reference", plate_.bytes(sizeof(double)));
      const std::size_t cells = index(plate_.height, plate_.width) + 1;
      now_ = AlignedArray<double>(cells);
      next_ = AlignedArray<double>(cells);
    }
    const auto magnitudes = blocks_in_parallel(plate_.height + 2, rows_at_once(), [this](Range rows) {
      double magnitude = 0.0;
      for (std::int64_t row = rows.begin - 1; row < rows.end - 1; ++row) {
        const std::span cells(&now_[index(row, -1)], static_cast<std::size_t>(plate_.width + 2));
        plate_.fill(row, cells.data());
        std::ranges::copy(cells, &next_[index(row, -1)]);
        for (const double temperature : cells) magnitude += std::abs(temperature);
      }
      return magnitude;
    });
    deltas_.clear();
    magnitudes_.clear();
    shrunk_ = 1.0;
    magnitude_ = std::accumulate(magnitudes.begin(), magnitudes.end(), 0.0);
  }

  void step();
  /// A step of an eigenmode.
  void decay() {
    const double factor = plate_.decay();
    deltas_.push_back(std::abs(factor - 1.0) * std::abs(shrunk_) * magnitude_);
    shrunk_ *= factor;
    magnitudes_.push_back(std::abs(shrunk_) * magnitude_);
  }

  Plate plate_;
  AlignedArray<double> now_, next_;          ///< with their borders
  std::vector<double> deltas_, magnitudes_;  ///< of every step; the latter the sum of all absolute temperatures
  double shrunk_ = 1.0, magnitude_ = 0.0;    ///< of an eigenmode: the remaining factor, and its sum at the start
};

}  // namespace boltzmark::heat
