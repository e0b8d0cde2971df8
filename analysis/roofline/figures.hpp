// The one table of figures: a row per configuration, all its rounds together, and where its record has parts
// a row per part. columns.hpp says what is written of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/roofline/results.hpp"
#include "analysis/roofline/roofline.hpp"

namespace boltzmark {

/// What one repeat did.
struct Work {
  double updates = 0.0, bytes = 0.0, flops = 0.0;
  std::optional<double> bytes_moved, conventional_flops;
};

/// Runs that differ in their workers only.
struct Scaling {
  double speed_up = 0.0;    ///< over one worker; over the fewest where there is no run of one, times their number
  double efficiency = 0.0;  ///< speed-up over workers
};

/// Over the devices that the same model, variant and setting ran on (portability.hpp).
struct Portability {
  double mean_share = 0.0;  ///< harmonic mean of the shares of their roofs
  int devices = 0;
};

/// In a Spread of rates `minimum` is that of the slowest repeat, so it belongs to the longest time.
struct Row {
  std::string source;  ///< file that it is from, without ending: "runs", "tuning"
  RunKey key;          ///< of its first round
  std::string case_name, part;
  RunStatus status = RunStatus::ok;  ///< the worst of its rounds
  std::string reason;                ///< of that round
  int worst_round = 0, rounds = 0;
  std::optional<Record> record;  ///< of its latest round that finished

  // As it ran, or as far as it was told where it did not.
  std::string variant, device;
  std::string setting;  ///< what else tells it from others: work-group, options, build
  std::string tuned;    ///< "work-group 64x4": options that it took from a tuner's file
  int threads = 0, ranks = 0;

  std::vector<double> seconds;                       ///< of all timed repeats of all rounds
  double init_seconds = 0.0, collate_seconds = 0.0;  ///< medians
  std::vector<double> joules;                        ///< of all timed repeats of all rounds that counted them
  std::string why_no_joules;                         ///< of a round that did not
  Check check;                                       ///< the worst of all rounds
  std::optional<double> halo_share,
      halo_share_most;  ///< of the time in halo exchanges: mean, longest of the ranks

  // The rest only where it has seconds.
  Spread time = {};           ///< of `seconds`
  Spread time_interval = {};  ///< the same median between the ends of its 95 % interval (median_interval())
  Work work;
  std::optional<Spread> rate;  ///< the workload's own, or of a part GB/s
  std::string rate_unit;
  Spread gb_per_s = {}, gflop_per_s = {};
  RooflineAnalysis roofline;
  std::optional<double> triad_gb_per_s;  ///< of STREAM on the same model, device and workers

  // Among rows of the same case, steps and precision.
  bool is_best_of_model = false;
  std::optional<Spread> over_textbook, over_like_for_like;
  std::optional<double> over_first_build;
  std::optional<double> of_openmp;  ///< rate over that of OpenMP's fastest row on the same processor (shortfall.hpp)
  std::string behind_openmp;        ///< what holds it back where that is less than 0.9
  std::optional<Scaling> strong, weak;
  std::optional<Portability> portability;
  std::string weak_line;           ///< the case of one worker
  std::string workers_unit;        ///< what its line has several of: "ranks", "threads"
  std::vector<std::string> notes;  ///< what to know of its figures

  bool has_figures() const { return !seconds.empty(); }
  bool is_right() const { return status == RunStatus::ok && has_figures(); }
  bool is_checked() const { return !check.deviations.empty(); }
  /// Processes times threads; one for each process where the device decides.
  int workers() const { return std::max(1, ranks) * std::max(1, threads); }
  std::string case_digest() const { return record ? record->case_.digest : key.case_; }
  std::int64_t steps() const { return record ? record->steps : key.steps; }
};

/// "work-group 64x4, delay 200": options that a run took from a tuner's file.
std::string tuned_of(const Record& record);

/// In the order of the results' entries.
std::vector<Row> make_rows(const Results& results);

}  // namespace boltzmark
