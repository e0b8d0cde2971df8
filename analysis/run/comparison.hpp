// The figures of the comparison: out of finished runs, by problem, like for like.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/run/plan.hpp"
#include "analysis/run/run_entry.hpp"

namespace boltzmark {

/// All repeats of one configuration (a model, a variant, and how it was started) on one problem.
struct ComparisonRow {
  std::string model, variant;
  std::string setting;         ///< what else tells it from others: work-group, options, build; mostly ""
  std::string tuned;           ///< "work-group 64x4": options a tuner found that it took by itself; mostly ""
  std::string build;           ///< the plan's name for the build, see RunKey; the setting's last word
  std::string device;          ///< where it ran; "" when it did not
  int threads = 0, ranks = 0;  ///< 0 where unknown
  std::vector<double>
      seconds;  ///< compute seconds of all its timed repeats, in order; empty when it never finished
  double median = 0.0, minimum = 0.0, maximum = 0.0;  ///< of them
  double mlups = 0.0, gb_per_s = 0.0;                 ///< at the median; GB/s by the algorithm's own count
  std::vector<std::optional<double>> speed_ups;       ///< over each baseline; none when either is not right
  std::optional<double> deviation;                    ///< largest, relative, over all checks and repeats
  std::optional<double> halo_share;  ///< of compute time in halo exchanges, mean over ranks; median of rounds
  std::optional<double> halo_share_most;  ///< the same of the rank that spends most
  RunStatus status = RunStatus::ok;       ///< the worst of its rounds
  std::string reason;                     ///< of that round
  int worst_round = 0;                    ///< which it was
  bool like_for_like = false;             ///< it, or a baseline, is of the variant that is compared
  bool best_of_model = false;             ///< the fastest right one of its model here
  nlohmann::json record;  ///< of its latest round that finished (common/RECORD.md); null without one

  bool is_right() const { return status == RunStatus::ok && !seconds.empty(); }
  /// Its result was held against the right answer.
  bool is_checked() const { return deviation.has_value(); }
};

/// Rows for one problem, number of steps and precision; only these can be set side by side.
struct ProblemComparison {
  std::string problem, precision;
  int nx = 0, ny = 0;  ///< 0 when nothing ran
  int steps = 0;
  std::vector<ComparisonRow> rows;  ///< baselines first, then in the order of the entries
  /// Whether some model has a variant that beats its like-for-like one.
  bool has_better_variants() const;
  /// Of right rows that were not checked: how far their average velocities of the last step lie apart,
  /// relative to the largest. Without a value there are not two.
  std::optional<double> unchecked_spread() const;
};

struct Comparison {
  LikeForLike compare;
  std::vector<Baseline> baselines;  ///< in the order of ComparisonRow::speed_ups
  std::vector<ProblemComparison> problems;
};

/// "work-group 64x4, delay 200": the options that a run took from a tuner's file, out of its record; ""
/// without.
std::string tuned_in(const nlohmann::json& record);

/// Makes the comparison of entries in any order of rounds.
Comparison make_comparison(const std::vector<RunEntry>& entries, const LikeForLike& compare,
                           const std::vector<Baseline>& baselines);

}  // namespace boltzmark
