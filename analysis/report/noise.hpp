// Whether two sets of repeats differ by more than their noise.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/roofline/peaks.hpp"

namespace boltzmark {

enum class Verdict {
  differs,       ///< by more than the noise of the repeats
  within_noise,  ///< what difference there is may be noise
  cannot_tell,   ///< too few repeats
};

struct NoiseDecision {
  Verdict verdict = Verdict::cannot_tell;
  std::optional<double> p;  ///< of the test, where the repeats were enough for one
};

/// Largest probability, if nothing but noise were between the two sides, that still counts as a difference.
inline constexpr double significance = 0.05;

/// Two-sided p value of the Mann-Whitney U test (Mann and Whitney, "On a test of whether one of two random
/// variables is stochastically larger than the other", Annals of Mathematical Statistics 18, 1947), ties by
/// mid-ranks: exact for up to 60 values in all, beyond that by the normal approximation. Neither set may be
/// empty.
double mann_whitney_p(const std::vector<double>& a, const std::vector<double>& b);

/// By the repeats of two sides, in any unit. With enough repeats for the test to be able to give p below
/// `significance` (4 and 4, 3 and 5, 2 and 8) by Mann-Whitney U. With fewer, but at least 2 on each side and
/// 5 in all: the medians differ by more than the two spreads (largest less smallest) together, which noise
/// alone brings about in at most one of 20 cases (drawn from normal and exponential distributions). Else:
/// cannot tell.
NoiseDecision decide(const std::vector<double>& a, const std::vector<double>& b);

/// By medians and spreads alone, for figures whose repeats are not kept: the rule for few repeats. Without
/// any spread on both sides it cannot tell.
NoiseDecision decide(const Spread& a, const Spread& b);

}  // namespace boltzmark
