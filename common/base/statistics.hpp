// Figures of a few repeats.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace boltzmark {

/// Median of a non-empty set; the mean of the middle two when their number is even.
inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

struct Interval {
  double low = 0.0, high = 0.0;
};

/// Where the median of what such a set is drawn from lies with a confidence of 95 %, whatever its distribution: between
/// the order statistics that the binomial distribution gives (Conover, "Practical Nonparametric Statistics", 3.2). With
/// fewer than six values no interval has that confidence, and this is from the smallest to the largest. Of a non-empty
/// set.
inline Interval median_interval(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  // Both tails beyond the k-th value from an end hold at most 2.5 % each: sum of (n over i) / 2^n for i < k.
  std::size_t k = 1;
  double term = std::pow(0.5, static_cast<double>(n)), tail = term;
  // From some thousand values on the first terms are too small for a double; there the normal distribution serves.
  if (term == 0.0) {
    k = static_cast<std::size_t>(0.5 * static_cast<double>(n) - 0.98 * std::sqrt(static_cast<double>(n)));
  } else {
    while (k < n / 2) {
      term *= static_cast<double>(n - k + 1) / static_cast<double>(k);
      tail += term;
      if (tail > 0.025) break;
      ++k;
    }
  }
  return {values[k - 1], values[n - k]};
}

}  // namespace boltzmark
