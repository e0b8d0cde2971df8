// What programs from outside are compared with: the reference answer of their problem, and the seconds of serial's
// textbook variant on it.
#pragma once

#include <map>
#include <set>

#include "analysis/run/cases.hpp"
#include "common/lbm/check.hpp"

namespace boltzmark {

/// A folder's only parameter file, and the obstacle file with its name or the only one. Throws Error (bad_input).
PlanCase problem_in(const fs::path& folder);

/// Throws Error (bad_input) if this machine has no room for it or for its reference.
std::shared_ptr<const Case> loaded(PlanCase source, std::optional<int> steps);

class References {
 public:
  References(const fs::path& results, double tolerance, SignalWatch& signals, Progress& progress)
      : results_(results), tolerance_(tolerance), signals_(signals), progress_(progress) {}

  /// Makes them, if they are missing: one problem after the other, so that a long one does not delay those before it.
  /// Throws Stopped, and Error (bad_input) if the problem is unstable.
  void prepare(const Case& one, bool with_seconds);
  /// Read once for consecutive calls with the same problem.
  const lbm::Answer& answer_of(const Case& one);
  std::optional<double> seconds_of(const Case& one) const { return seconds_.at(prefix_of(one)); }
  /// Those of earlier calls.
  void forget_seconds() const { fs::remove_all(results_ / folder); }

 private:
  static constexpr const char* folder = "textbook";

  std::string prefix_of(const Case& one) const { return check_value(results_, one); }
  std::optional<double> measured_seconds(const Case& one);

  const fs::path results_;
  const double tolerance_;
  SignalWatch& signals_;
  Progress& progress_;
  std::map<std::string, std::optional<double>> seconds_;  ///< by prefix of the answer
  std::set<std::string> answered_;                        ///< prefixes of the existing answers
  std::string answer_prefix_;
  lbm::Answer answer_;
};

}  // namespace boltzmark
