#include "analysis/report/noise.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace boltzmark {
namespace {

constexpr std::size_t most_exact_values = 60;
constexpr std::size_t fewest_repeats = 2, fewest_in_all = 5;

/// Twice the rank of each value among all (so that mid-ranks are whole numbers): those of a, then those of b.
std::vector<int> doubled_ranks(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> all = a;
  all.insert(all.end(), b.begin(), b.end());
  std::vector<double> sorted = all;
  std::sort(sorted.begin(), sorted.end());
  std::vector<int> ranks;
  for (const double value : all) {
    const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), value);
    ranks.push_back(static_cast<int>((first - sorted.begin()) + (last - sorted.begin()) + 1));
  }
  return ranks;
}

/// In how many ways so many of the ranks can be chosen, by their sum.
std::vector<double> ways_by_sum(const std::vector<int>& ranks, std::size_t chosen) {
  const auto total = static_cast<std::size_t>(std::accumulate(ranks.begin(), ranks.end(), 0));
  std::vector<std::vector<double>> ways(chosen + 1, std::vector<double>(total + 1, 0.0));
  ways[0][0] = 1.0;
  for (const int rank : ranks) {
    const auto r = static_cast<std::size_t>(rank);
    for (std::size_t k = chosen; k >= 1; --k)
      for (std::size_t sum = total; sum >= r; --sum) ways[k][sum] += ways[k - 1][sum - r];
  }
  return ways[chosen];
}

/// Share of all ways to divide the values in which the rank sum lies at least as far from its mean.
double exact_p(const std::vector<int>& ranks, std::size_t chosen) {
  const double mean = static_cast<double>(chosen * (ranks.size() + 1));  // doubled, as the ranks
  const double found =
      std::abs(std::accumulate(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(chosen), 0) - mean);
  const std::vector<double> ways = ways_by_sum(ranks, chosen);
  double all = 0.0, extreme = 0.0;
  for (std::size_t sum = 0; sum < ways.size(); ++sum) {
    all += ways[sum];
    if (std::abs(static_cast<double>(sum) - mean) >= found - 0.5) extreme += ways[sum];
  }
  return extreme / all;
}

/// The rank sum's normal approximation, its variance that of the ranks as they are (ties make it smaller).
double normal_p(const std::vector<int>& ranks, std::size_t chosen) {
  const auto n = static_cast<double>(ranks.size()), k = static_cast<double>(chosen);
  double sum = 0.0, squares = 0.0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const double rank = 0.5 * ranks[i];
    if (i < chosen) sum += rank;
    squares += (rank - 0.5 * (n + 1.0)) * (rank - 0.5 * (n + 1.0));
  }
  const double variance = k * (n - k) / (n * (n - 1.0)) * squares;
  if (variance <= 0.0) return 1.0;  // all values are the same
  const double away = std::max(0.0, std::abs(sum - 0.5 * k * (n + 1.0)) - 0.5);
  return std::erfc(away / std::sqrt(2.0 * variance));
}

/// The smallest p that the test can give for so many values: two of all ways to divide them.
double smallest_p(std::size_t a, std::size_t b) {
  double ways = 1.0;
  for (std::size_t i = 1; i <= b; ++i) ways *= static_cast<double>(a + i) / static_cast<double>(i);
  return 2.0 / ways;
}

NoiseDecision by_spreads(const Spread& a, const Spread& b) {
  const double spreads = (a.maximum - a.minimum) + (b.maximum - b.minimum);
  return {std::abs(a.median - b.median) > spreads ? Verdict::differs : Verdict::within_noise, {}};
}

}  // namespace

double mann_whitney_p(const std::vector<double>& a, const std::vector<double>& b) {
  const std::vector<int> ranks = doubled_ranks(a, b);
  return ranks.size() <= most_exact_values ? exact_p(ranks, a.size()) : normal_p(ranks, a.size());
}

NoiseDecision decide(const std::vector<double>& a, const std::vector<double>& b) {
  if (std::min(a.size(), b.size()) < fewest_repeats) return {};
  if (smallest_p(a.size(), b.size()) < significance) {
    const double p = mann_whitney_p(a, b);
    return {p < significance ? Verdict::differs : Verdict::within_noise, p};
  }
  if (a.size() + b.size() < fewest_in_all) return {};
  return by_spreads(spread_of(a), spread_of(b));
}

NoiseDecision decide(const Spread& a, const Spread& b) {
  const bool one_value = a.minimum == a.maximum && b.minimum == b.maximum;
  return one_value && a.median != b.median ? NoiseDecision{} : by_spreads(a, b);
}

}  // namespace boltzmark
