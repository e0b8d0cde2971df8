// What is right: the same steps in double precision, as plain as can be; of an eigenmode what theory says.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "common/heat/plate.hpp"

namespace boltzmark::heat {

/// Puts a row of the temperatures that are looked at into `values`.
using ReadRow = std::function<void(std::int64_t row, std::span<double> values)>;

class Oracle {
 public:
  explicit Oracle(const Plate& plate) : plate_(plate) {}

  /// Goes on, or back to the start and on, to the state after so many steps.
  void go_to(int steps);

  /// Of every step that was done.
  const std::vector<double>& deltas() const { return deltas_; }
  double temperature(std::int64_t row, std::int64_t column) const;

  /// The largest difference of a temperature from the right one, relative to the largest there is. Infinite where one
  /// is not a number.
  double field_error(const ReadRow& read) const;
  /// The same of the deltas, relative to what they are sums of: changes, each of which is the difference of two
  /// temperatures that are rounded.
  double delta_error(std::span<const double> deltas, int value_bytes = 8) const;

  /// What rounding may come to: temperatures are means, so that no step makes errors grow, and each adds one more. The
  /// rest is for sums, of doubles many millions one by one.
  static double tolerance(int value_bytes, int steps);

 private:
  std::size_t index(std::int64_t row, std::int64_t column) const {
    return static_cast<std::size_t>((row + 1) * (plate_.width + 2) + column + 1);
  }
  void begin();
  void step();
  void decay_to(int steps);

  Plate plate_;
  std::vector<double> now_, next_;  ///< with their borders
  std::vector<double> deltas_,
      magnitudes_;       ///< of every step; the latter the sum of all absolute temperatures
  double shrunk_ = 1.0;  ///< of an eigenmode: what is left
};

}  // namespace boltzmark::heat
