// How far results deviate from what is right.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace boltzmark {

/// A relative deviation from what is right, the largest of all repeats.
struct Deviation {
  std::string of;               ///< "av_vels"
  std::optional<double> value;  ///< null when it is not a number
  std::string at = {};          ///< where: "step 312", "cell 5 7"; "" for a value of the whole run
};

/// How results were checked.
struct Check {
  std::string against = "none";     ///< "oracle", a file prefix, or "none"
  std::optional<bool> passed = {};  ///< null without a check
  double tolerance = 0.0;           ///< largest deviation that counts as right
  std::vector<Deviation> deviations = {};

  /// Takes one repeat's deviations, keeps the worst of each, and judges.
  void take(const std::vector<Deviation>& found);
  /// The worst: one that is not a number, or else the largest. Requires a check.
  const Deviation& worst() const;
  /// "speed deviates by 1.20e-01 from oracle in cell 5 7, where 1e-05 is allowed": of the worst. Requires a check.
  std::string worst_words() const;
};

}  // namespace boltzmark
