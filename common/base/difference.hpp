// Deviations of results from the reference.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace boltzmark {

/// The larger of two errors; infinite if one is NaN.
inline double larger_error(double one, double other) {
  return std::isfinite(other) ? std::max(one, other) : std::numeric_limits<double>::infinity();
}

/// The largest difference from the right numbers, and the largest right number.
class Difference {
 public:
  void add(double found, double right) {
    largest_ = larger_error(largest_, std::abs(found - right));
    scale_ = std::max(scale_, std::abs(right));
  }
  /// Merges another one into this.
  void add(const Difference& other) {
    largest_ = larger_error(largest_, other.largest_);
    scale_ = std::max(scale_, other.scale_);
  }
  double scale() const { return scale_; }
  /// Relative to the largest right number, or to `least_scale`; absolute if all right numbers are 0.
  double relative(double least_scale = 0.0) const {
    const double scale = std::max(scale_, least_scale);
    return scale > 0.0 ? largest_ / scale : largest_;
  }

 private:
  double largest_ = 0.0, scale_ = 0.0;
};

}  // namespace boltzmark
