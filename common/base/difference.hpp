// How far results are from what is right.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace boltzmark {

/// The larger of two errors; infinite where one is not a number.
inline double larger_error(double one, double other) {
  return std::isfinite(other) ? std::max(one, other) : std::numeric_limits<double>::infinity();
}

/// The largest difference of numbers from the right ones, and the largest right one.
class Difference {
 public:
  void add(double found, double right) {
    largest_ = larger_error(largest_, std::abs(found - right));
    scale_ = std::max(scale_, std::abs(right));
  }
  /// All that another one has.
  void add(const Difference& other) {
    largest_ = larger_error(largest_, other.largest_);
    scale_ = std::max(scale_, other.scale_);
  }
  double scale() const { return scale_; }
  /// Of the largest right number, or of `least_scale`; absolute where all right numbers are 0.
  double relative(double least_scale = 0.0) const {
    const double scale = std::max(scale_, least_scale);
    return scale > 0.0 ? largest_ / scale : largest_;
  }

 private:
  double largest_ = 0.0, scale_ = 0.0;
};

}  // namespace boltzmark
