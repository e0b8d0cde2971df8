// Whether two sets of rounds of one program differ by more than noise, and by how much.
#pragma once

#include <string>
#include <vector>

namespace boltzmark {

/// A p below this is a difference.
inline constexpr double significance = 0.05;
/// Fewer rounds rank nothing.
inline constexpr std::size_t rounds_to_rank = 3;
/// Models closer than this tie, even if the difference cannot be chance.
inline constexpr double least_gap = 0.02;
/// A tie is an equivalence: its whole interval is closer than this.
inline constexpr double most_of_a_tie = 0.05;
/// On a noisy machine fewer rounds show no tie, and differences only by the distance of their medians.
inline constexpr std::size_t rounds_if_noisy = 6;

/// Ratio of the seconds of some rounds to those of others.
struct Difference {
  double ratio = 1.0;            ///< median of the ratios of every round to every other (Hodges and Lehmann, 1963)
  double low = 1.0, high = 1.0;  ///< ends of its interval, which are such ratios too
  double coverage = 0.0;         ///< of that interval: at least 0.95; lower with fewer than four rounds per side
  double p = 1.0;                ///< two-sided, see p_of_slower()
};

/// The interval has all ratios that the Mann-Whitney U test does not reject at 5 %, whatever the distribution (Annals
/// of Mathematical Statistics 18, 1947). For non-empty sets of seconds above zero.
Difference difference(const std::vector<double>& reference, const std::vector<double>& other, double swing = 1.0);

/// Probability that `other` is this much slower by chance, if rounds of both are alike: by the Mann-Whitney U test,
/// one-sided and exact, ties included (above 40 rounds a side by its normal approximation). Few rounds cannot give a
/// small p, even if far apart. With three or more per side, the distance of the medians of the logarithms also counts,
/// as a multiple k of the ranges of both sides together: p is at most 0.01 * 0.37^(n - 6) / k^(n - 2) for k > 1, n
/// twice the smaller number of rounds. This bound was found by simulation; it holds within a factor of two for normal,
/// exponential and Student's t noise with two degrees of freedom or more.
///
/// `swing`: the factor between the speeds of a noisy machine, 1 of a steady one. All rounds of one side may have had the
/// one speed and all of the other the other, so that neither range shows it: each range is taken as at least the swing,
/// and ranks count from rounds_if_noisy per side on.
double p_of_slower(const std::vector<double>& reference, const std::vector<double>& other, double swing = 1.0);

/// For rounds compared with those of the fastest. Apart: `behind`. Not apart: a `tie` if they are equivalent, that is
/// if the interval of their ratio shows that they differ by less than most_of_a_tie, else `undecided`: too noisy to
/// rank.
enum class Standing { unranked, fastest, tie, undecided, behind };
/// "" of unranked.
std::string to_string(Standing standing);
/// For the slower of two sets of seconds.
Standing standing_of(const std::vector<double>& fastest, const std::vector<double>& other, double swing = 1.0);
/// Of an undecided one: about how many rounds per side would decide, as an interval narrows with the root of their
/// number.
std::size_t rounds_to_decide(const std::vector<double>& fastest, const std::vector<double>& other, double swing);

/// The two-sided p of this many rounds with ranks as far apart as possible; 1 where ranks do not count.
double least_p_of_ranks(std::size_t reference, std::size_t other, double swing = 1.0);
/// Whether there are enough for the spreads to give a smaller p.
bool spreads_count(std::size_t reference, std::size_t other);
/// Whether this many rounds can show any difference at 5 % in a single test.
bool can_differ(std::size_t reference, std::size_t other, double swing = 1.0);

/// Of ratios.
double geometric_mean(const std::vector<double>& values);

/// The p values of many tests, corrected so that among those below a level the expected share of false ones is at most
/// that level (Benjamini and Hochberg, "Controlling the false discovery rate", 1995). If nothing differs, the level is
/// the probability of any false one.
std::vector<double> adjusted(const std::vector<double>& p);

}  // namespace boltzmark
