// The order in which options are tried, and what is best among them; independent of programs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/run/tuned.hpp"

namespace boltzmark {

/// An option without its dashes, and the values to try.
struct Tunable {
  std::string option;
  std::vector<std::string> values;
};

/// What came of some options.
struct Trial {
  enum class End {
    measured,  ///< all its runs were done
    stopped,   ///< so much slower than the best that the rest of its runs was left out
    skipped,   ///< device or kernel do not allow it
    wrong,     ///< a result was wrong
    failed,    ///< ended otherwise without a result
  };
  TunedOptions options = {};  ///< what differs from the defaults
  std::string stage = {};     ///< the tunable that was varied; "default" for none, "all" for every one
  End end = End::measured;
  std::optional<double> seconds = {};  ///< the lowest of its runs, where it had right ones
  std::string reason = {};             ///< why skipped, wrong, failed or stopped: one line
};

/// Tries options; `best` is the lowest time so far. Gives nothing when the search is to end here.
using TryOptions = std::function<std::optional<Trial>(const TunedOptions& options, std::optional<double> best)>;

struct SearchResult {
  std::vector<Trial> trials;  ///< in the order in which they were tried; the defaults are the first
  int left = 0;               ///< that were not tried because the search was ended

  /// The fastest whose runs were all done, or nullptr.
  const Trial* best() const;
  /// The slowest that has a time, or nullptr.
  const Trial* worst() const;
  /// The trial with no options, or nullptr.
  const Trial* defaults() const;
  int count(Trial::End end) const;
};

/// How many options search() tries at most.
std::size_t search_size(const std::vector<Tunable>& tunables, bool all);

/// Tries the defaults, then the values of one tunable after the other together with the best of those before;
/// with `all` the full product instead. Ends early after defaults that have no right result. Nothing is tried
/// twice.
SearchResult search(const std::vector<Tunable>& tunables, bool all, const TryOptions& try_options);

}  // namespace boltzmark
