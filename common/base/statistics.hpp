// Figures of a few repeats.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
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
  double coverage = 0.0;  ///< probability that such an interval contains the median
};

/// Interval for the median of the distribution from which the set is drawn, whatever its form: between the order
/// statistics that the binomial distribution gives (Conover, "Practical Nonparametric Statistics", 3.2), with a
/// coverage of 95 % by interpolation to the next ones (Hettmansperger and Sheather, Statistics & Probability Letters 4,
/// 1986). Fewer than six values cannot reach 95 %: from the smallest to the largest covers 1 - 2^(1-n), and 0 for a
/// single value. Of a non-empty set.
inline Interval median_interval(std::vector<double> values) {
  constexpr double wanted = 0.95;
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  const auto size = static_cast<double>(n);
  const auto between = [&](std::size_t k, double coverage) { return Interval{values[k - 1], values[n - k], coverage}; };
  double term = std::pow(0.5, size);  // of the binomial distribution: (n over k) / 2^n
  // From some thousand values on the first terms are too small for a double; the normal distribution is used instead.
  if (term == 0.0) return between(static_cast<std::size_t>(0.5 * size - 0.98 * std::sqrt(size)), wanted);
  double coverage = 1.0 - 2.0 * term;  // from the k-th value from one end to the k-th from the other
  if (coverage < wanted) return between(1, coverage);
  for (std::size_t k = 1;; ++k) {
    const auto at = static_cast<double>(k);
    term *= (size - at + 1.0) / at;
    const double next = coverage - 2.0 * term;
    if (next >= wanted) {
      coverage = next;
      continue;
    }
    const double share = (coverage - wanted) / (coverage - next),
                 inwards = (size - at) * share / (at + (size - 2.0 * at) * share);
    return {std::lerp(values[k - 1], values[k], inwards), std::lerp(values[n - k], values[n - k - 1], inwards), wanted};
  }
}

/// Half of the interval of the median, relative to it; infinite for a single value, which has no interval.
inline double relative_half_width(const std::vector<double>& values) {
  const Interval interval = median_interval(values);
  if (interval.coverage == 0.0) return std::numeric_limits<double>::infinity();
  return 0.5 * (interval.high - interval.low) / median(values);
}

/// Peak rate of a machine from samples that other work can only lower: the best sample that at least two others reach
/// within 3 %, since a single one may be an error of the clock. If there is no such sample, the third best, or the
/// median if that is higher; of two samples the larger. Of a non-empty set.
inline double confirmed_best(std::vector<double> samples) {
  constexpr double near = 0.97;
  constexpr std::size_t others = 2;
  std::sort(samples.rbegin(), samples.rend());
  for (std::size_t i = 0; i + others < samples.size(); ++i)
    if (samples[i + others] >= near * samples[i]) return samples[i];
  return samples.size() > others ? std::max(samples[others], median(samples)) : samples.front();
}

}  // namespace boltzmark
