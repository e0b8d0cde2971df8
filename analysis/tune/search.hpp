// The order in which options are tried, the outcome in words, and work-group shapes to try; independent of programs.
#pragma once

#include <functional>
#include <vector>

#include "common/base/ranges.hpp"
#include "common/run/tuned.hpp"

namespace boltzmark {

/// An option without dashes, and the values to try.
struct Tunable {
  std::string option;
  std::vector<std::string> values;
};

/// The outcome of some options.
struct Trial {
  enum class End {
    measured,  ///< all its runs were done
    stopped,   ///< too slow, so the rest of its runs was left out
    skipped,   ///< the device or kernel does not allow it
    wrong,     ///< a result was wrong
    failed,    ///< ended without a result in another way
  };
  TunedOptions options = {};  ///< options that differ from the defaults
  std::string stage = {};     ///< the tunable that varied; "default" for none, "all" for all
  End end = End::measured;
  std::optional<double> seconds = {};  ///< the lowest of its right runs, if any
  std::vector<double> runs = {};       ///< seconds of all these
  std::string reason = {};             ///< why skipped, wrong, failed or stopped: one line
};

/// Tries options; `best` is the lowest time so far. Returns nothing if the search shall end here.
using TryOptions = std::function<std::optional<Trial>(const TunedOptions& options, std::optional<double> best)>;

struct SearchResult {
  std::vector<Trial> trials;  ///< in the order in which they were tried; the defaults are the first
  int left = 0;               ///< not tried because the search ended early

  // Each may be nullptr.
  const Trial* best() const;      ///< the fastest whose runs were all done
  const Trial* worst() const;     ///< the slowest with a time
  const Trial* defaults() const;  ///< without options
  /// best(), unless the defaults are as good: the median of its runs is not below their lowest.
  const Trial* better() const;
  int count(Trial::End end) const;
};

/// How many options search() tries at most.
std::size_t search_size(const std::vector<Tunable>& tunables, bool all);

/// Tries the defaults, then the values of one tunable after another, each combined with the best values of earlier
/// ones; with `all` the full product instead. Ends early if the defaults have no right result. Nothing is tried twice.
SearchResult search(const std::vector<Tunable>& tunables, bool all, const TryOptions& try_options);

/// "0.6123 s" or how else it ended.
std::string outcome_of(const Trial& trial);
/// "--reduction tree --work-group 32x4", or "defaults".
std::string options_words(const TunedOptions& options);
/// The fastest trial of every stage except the defaults, in the order of the search.
ByName<const Trial*> best_of_stages(const SearchResult& result);
/// How many trials ended in each way, and why, the most frequent reason first.
std::string counts_text(const SearchResult& result);

/// Limits of a device: work-items in a group, and along x, y and z.
struct ShapeLimits {
  int items = 0, x = 0, y = 0, z = 0;
};

/// Every X x Y of powers of two with at most `items` work-items, as "XxY": 66 for 1024. In three dimensions every
/// X x Y x Z with Z at most `planes`, "XxY" for those with Z = 1.
std::vector<std::string> power_shapes(int items, int planes = 1);

/// The published sets. In two dimensions x and y of 1, 16, 32, 48, ... with x or y at least 32 and x*y at most `items`,
/// and the divisor pairs of `items`: 139 for 1024. In three dimensions the same x and y with z of 1, 16, 32, 48 and 64,
/// one of them at least 32, and no divisor pairs: 150 for 1024. Source: the auto-tuning of work-group sizes in source E
/// of published.json.
std::vector<std::string> published_shapes(int items, int dimension = 2);

/// Tiles for kernels that read a ring of cells around them: x of 16, 32, 48, 64, 96 and 128, and y of 2 to 16, where
/// tile and ring have at most `items` cells.
std::vector<std::string> tile_shapes(int items);

/// "powers", "published", "tiles", or a list of shapes: "32x4,64x2,16x4x2". Throws Error (bad_input) for anything else.
/// Shapes with planes are not allowed in two dimensions.
std::vector<std::string> shapes_for(const std::string& wanted, const ShapeLimits& limits, int dimension = 2);

/// Why the device cannot run a shape, "" if its limits allow it.
std::string beyond_limits(const std::string& shape, const ShapeLimits& limits);

}  // namespace boltzmark
