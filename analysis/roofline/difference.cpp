#include "analysis/roofline/difference.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "common/base/statistics.hpp"

namespace boltzmark {
namespace {

using Values = std::vector<double>;

constexpr std::size_t most_exact = 40, least_spread = 3;

double choose(std::size_t n, std::size_t k) {
  double ways = 1.0;
  for (std::size_t i = 1; i <= k; ++i) ways *= static_cast<double>(n - k + i) / static_cast<double>(i);
  return ways;
}

/// Number of choices of `some` of these numbers with each sum.
Values choices_by_sum(const std::vector<std::size_t>& numbers, std::size_t some) {
  const std::size_t most = std::accumulate(numbers.begin(), numbers.end(), std::size_t{0});
  std::vector<Values> ways(some + 1, Values(most + 1, 0.0));
  ways[0][0] = 1.0;
  for (const std::size_t number : numbers)
    for (std::size_t k = some; k > 0; --k)
      for (std::size_t sum = most; sum >= number; --sum) ways[k][sum] += ways[k - 1][sum - number];
  return ways[some];
}

/// Twice the mid-ranks of `other` among all values, then of the rest: whole numbers.
std::vector<std::size_t> double_ranks(const Values& reference, const Values& other) {
  Values all = other;
  all.insert(all.end(), reference.begin(), reference.end());
  Values sorted = all;
  std::ranges::sort(sorted);
  std::vector<std::size_t> ranks;
  for (const double value : all) {
    const auto [first, last] = std::ranges::equal_range(sorted, value);
    ranks.push_back(static_cast<std::size_t>((first - sorted.begin()) + (last - sorted.begin()) + 1));
  }
  return ranks;
}

/// One-sided p of a rank sum this far above its mean.
double normal_p(double distance, std::size_t a, std::size_t b) {
  const auto m = static_cast<double>(a), n = static_cast<double>(b);
  return 0.5 * std::erfc((distance - 0.5) / std::sqrt(m * n * (m + n + 1.0) / 6.0));
}

double p_of_ranks(const Values& reference, const Values& other) {
  const auto ranks = double_ranks(reference, other);
  const std::size_t found = std::accumulate(ranks.begin(), ranks.begin() + std::ssize(other), std::size_t{0});
  if (std::max(reference.size(), other.size()) > most_exact)
    return normal_p(0.5 * (static_cast<double>(found) - static_cast<double>(other.size() * (ranks.size() + 1))),
                    reference.size(), other.size());
  const Values ways = choices_by_sum(ranks, other.size());
  const auto from = ways.begin() + static_cast<std::ptrdiff_t>(found);
  return std::accumulate(from, ways.end(), 0.0) / choose(ranks.size(), other.size());
}

struct Logarithms {
  double median, range;
};
Logarithms logarithms(Values values) {
  for (double& value : values) value = std::log(value);
  const auto [least, most] = std::ranges::minmax_element(values);
  return {median(values), *most - *least};
}

double p_of_spreads(const Values& reference, const Values& other, double swing) {
  if (!spreads_count(reference.size(), other.size())) return 1.0;
  const std::size_t fewer = std::min(reference.size(), other.size());
  const Logarithms a = logarithms(reference), b = logarithms(other);
  const double apart = b.median - a.median, least = std::log(swing),
               ranges = std::max(a.range, least) + std::max(b.range, least), n = 2.0 * static_cast<double>(fewer);
  if (apart <= ranges) return 1.0;
  return 0.01 * std::pow(0.37, n - 6.0) * std::pow(ranges / apart, n - 2.0);
}

bool ranks_count(std::size_t reference, std::size_t other, double swing) {
  return swing <= 1.0 || std::min(reference, other) >= rounds_if_noisy;
}

/// Number of the smallest ratios that an interval leaves out at each end: those of the U test at 5 %.
std::size_t left_out(std::size_t a, std::size_t b, double& coverage) {
  if (std::max(a, b) > most_exact) {
    const auto m = static_cast<double>(a), n = static_cast<double>(b);
    coverage = 1.0 - significance;
    return static_cast<std::size_t>(0.5 * m * n - 1.96 * std::sqrt(m * n * (m + n + 1.0) / 12.0));
  }
  std::vector<std::size_t> ranks(a + b);
  std::iota(ranks.begin(), ranks.end(), std::size_t{1});
  const Values ways = choices_by_sum(ranks, b);
  const double all = choose(a + b, b);
  const std::size_t least = b * (b + 1) / 2;  // the rank sum where U is 0
  double tail = ways[least] / all;            // of U = 0
  std::size_t out = 0;
  for (; 2.0 * (tail + ways[least + out + 1] / all) <= significance; ++out) tail += ways[least + out + 1] / all;
  coverage = 1.0 - 2.0 * tail;
  return out;
}

}  // namespace

double p_of_slower(const Values& reference, const Values& other, double swing) {
  const double p = p_of_spreads(reference, other, swing);
  return ranks_count(reference.size(), other.size(), swing) ? std::min(p, p_of_ranks(reference, other)) : p;
}

double least_p_of_ranks(std::size_t reference, std::size_t other, double swing) {
  return ranks_count(reference, other, swing) ? std::min(1.0, 2.0 / choose(reference + other, other)) : 1.0;
}

bool spreads_count(std::size_t reference, std::size_t other) { return std::min(reference, other) >= least_spread; }

bool can_differ(std::size_t reference, std::size_t other, double swing) {
  return spreads_count(reference, other) || least_p_of_ranks(reference, other, swing) < significance;
}

Difference difference(const Values& reference, const Values& other, double swing) {
  Values ratios;
  for (const double a : reference)
    for (const double b : other) ratios.push_back(b / a);
  std::ranges::sort(ratios);
  Difference found;
  const std::size_t out = left_out(reference.size(), other.size(), found.coverage);
  found.ratio = median(ratios);
  found.low = ratios[out];
  found.high = ratios[ratios.size() - 1 - out];
  found.p = std::min(1.0, 2.0 * std::min(p_of_slower(reference, other, swing), p_of_slower(other, reference, swing)));
  return found;
}

std::string to_string(Standing standing) {
  constexpr std::array names = {"", "fastest", "tie", "undecided", "behind"};
  return names.at(static_cast<std::size_t>(standing));
}

Standing standing_of(const Values& fastest, const Values& other, double swing) {
  if (std::min(fastest.size(), other.size()) < rounds_to_rank) return Standing::unranked;
  const Difference found = difference(fastest, other, swing);
  const bool is_apart = found.p < significance, is_close = found.ratio < 1.0 / (1.0 - least_gap),
             is_equal = ranks_count(fastest.size(), other.size(), swing) && found.low * (1.0 + most_of_a_tie) > 1.0 &&
                        found.high < 1.0 + most_of_a_tie;
  if (is_equal && (is_close || !is_apart)) return Standing::tie;
  return is_apart ? Standing::behind : Standing::undecided;
}

std::size_t rounds_to_decide(const Values& fastest, const Values& other, double swing) {
  const Difference found = difference(fastest, other);
  const double gap = std::abs(found.ratio - 1.0), wide = 0.5 * (found.high - found.low),
               narrow = std::max(gap, most_of_a_tie - gap);  // shows the difference, or that it is a tie
  const std::size_t rounds = std::min(fastest.size(), other.size()),
                    more = std::max(rounds + 1, swing > 1.0 ? rounds_if_noisy : rounds);
  return std::max(more, static_cast<std::size_t>(std::ceil(static_cast<double>(rounds) * std::pow(wide / narrow, 2))));
}

double geometric_mean(const Values& values) {
  double sum = 0.0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

Values adjusted(const Values& p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&p](std::size_t a, std::size_t b) { return p[a] > p[b]; });
  Values all(p.size());
  double least = 1.0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const auto rank = static_cast<double>(p.size() - i);
    least = std::min(least, p[order[i]] * static_cast<double>(p.size()) / rank);
    all[order[i]] = least;
  }
  return all;
}

}  // namespace boltzmark
