// Figures of a few repeats.
#pragma once

#include <algorithm>
#include <vector>

namespace boltzmark {

/// Median of a non-empty set; the mean of the middle two when their number is even.
inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

}  // namespace boltzmark
