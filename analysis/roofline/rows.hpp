// A row per configuration with all its rounds, or, if its record has parts, a row per part: measurements, conclusions
// from the machine's peaks, and comparison with other rows.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/roofline/difference.hpp"
#include "analysis/roofline/network.hpp"
#include "analysis/roofline/roofline.hpp"
#include "analysis/store/store.hpp"

namespace boltzmark {

/// Work of one repeat.
struct Work {
  double updates = 0.0, bytes = 0.0, flops = 0.0;
  std::optional<double> bytes_moved, conventional_flops;
  Operations operations = {};
};

/// Runs that differ only in their workers.
struct Scaling {
  double speed_up = 0.0;    ///< over one worker; without such a run, over the fewest, times their number
  double efficiency = 0.0;  ///< speed-up over workers
  /// For at least three numbers of workers, including one: strong by Amdahl's law, weak by Gustafson's.
  struct Fit {
    double serial_share = 0.0;
    double residual = 0.0;  ///< root of the mean square of the relative deviations
    double speed_up = 0.0;  ///< of as many workers
  };
  std::optional<Fit> fit;
};

/// Factors of its speed-up over the textbook compiled for any processor (add_factors()): quotients of medians, each
/// present if both of its runs are.
struct Factors {
  std::optional<double> flags;     ///< serial textbook: for any processor, over for this one
  std::optional<double> layout;    ///< over the same algorithm on one worker
  std::optional<double> blocking;  ///< over the row's variant on one worker
  std::optional<double> cores;     ///< over the row
  std::optional<double> whole;     ///< of the first over the last: their product, if all are present
  std::string one_worker;          ///< the model of the two on one worker

  /// Whether any textbook was run.
  bool over_textbook() const { return layout || whole; }
  /// Of the four.
  int count() const { return flags.has_value() + layout.has_value() + blocking.has_value() + cores.has_value(); }
};

/// Over the devices that the same model, variant and setting ran on (add_portability()).
struct Portability {
  double mean_share = 0.0;  ///< harmonic mean of the shares of their roofs
  int devices = 0;
};

/// Beside the fastest of its problem, precision and part (add_shares()).
struct ShareOfFastest {
  std::optional<double> share;  ///< rate over that of the fastest
  Standing standing = Standing::unranked;
  std::optional<std::size_t> rounds_to_decide;  ///< if it is undecided
  std::string launches;                         ///< "4001 launches, the fastest 191": where these cost it time
};

/// Figures whose spread is larger are noisy.
inline constexpr double noisy_spread = 0.15;

/// In a Spread of rates `minimum` is that of the slowest repeat, so it belongs to the longest time.
struct Row {
  std::string source;  ///< file that it is from, without ending: "runs", "tuning"
  std::string plan;    ///< Order::plan of its latest round
  RunKey key;          ///< of its first round
  std::string case_name, part;
  RunStatus status = RunStatus::ok;  ///< the worst of its rounds
  std::string reason;                ///< of that round
  int worst_round = 0, rounds = 0;
  std::optional<Record> record;  ///< of its last finished round

  // As recorded; from the key if there is no record.
  std::string variant, device;
  std::string setting;  ///< further distinction: work-group, options, build
  std::string tuned;    ///< "work-group 64x4": options that it took from a tuner's file
  int threads = 0, ranks = 0;

  std::vector<double> seconds;                       ///< of all timed repeats of all rounds
  std::vector<double> round_seconds;                 ///< median of each round's
  double init_seconds = 0.0, collate_seconds = 0.0;  ///< medians
  std::vector<double> joules;                        ///< of all timed repeats of all rounds that counted them
  std::string why_no_joules;                         ///< of a round that did not
  int repeats_left_out = 0;                          ///< disturbed by the machine (Record::undisturbed)
  int repeats_disturbed = 0;                         ///< likewise, if they are not left out
  int repeats_made = 0;                              ///< of all rounds
  Check check;                                       ///< the worst of all rounds
  std::optional<double> halo_share,
      halo_share_most;  ///< of the time in halo exchanges: mean, longest of the ranks

  // The rest only if it has seconds.
  Spread time = {};           ///< the median of the rounds' between the least and the most of `seconds`
  Spread time_interval = {};  ///< the same median between the ends of its interval (median_interval() of rounds)
  double coverage = 0.0;      ///< of that interval; 0 for a single round, which has none
  double spread = 0.0;        ///< of the rounds' medians over their median; for a single round, of its repeats
  Work work;
  std::optional<Spread> rate;  ///< the workload's own, or of a part GB/s
  std::string rate_unit;
  Spread gb_per_s = {}, gflop_per_s = {};
  RooflineAnalysis roofline;

  std::optional<HaloTraffic> halo;          ///< of ranks that exchange one
  std::optional<double> network_seconds;    ///< of a repeat: its messages alone, by the network's fits
  std::optional<double> predicted_seconds;  ///< of a repeat, by these fits and the time of one worker

  // Among rows of the same case, steps and precision.
  bool is_best_of_model = false;
  std::optional<Spread> over_textbook, over_like_for_like;
  std::optional<double> over_first_build;
  std::string verdict_over_build;  ///< "faster", "slower", "tie", "undecided"; "" if there are too few rounds
  std::optional<Factors> factors;  ///< of the fastest of its model on a processor
  ShareOfFastest best, same;       ///< among all rows, and among those of the same algorithm (like-for-like)
  std::optional<Scaling> strong, weak;
  std::optional<Portability> portability;
  std::string weak_line;           ///< the case of one worker
  std::string sweep;               ///< variant and setting of its sweep of work-groups, if it has one
  std::string workers_unit;        ///< workers of its line: "ranks", "threads"
  std::vector<std::string> notes;  ///< remarks on its figures

  bool has_figures() const { return !seconds.empty(); }
  /// "32x4": the work-group that ran, where it has two sides.
  std::string work_group() const;
  /// Format in which its numbers are stored, "f16", if that is narrower than its precision; else "". Its rate and
  /// result are then not compared with runs of the precision.
  std::string storage() const;
  /// "spread 24 %, 6 of 8 repeats disturbed": why its figures are noisy, and marked "!"; "" if they are not.
  std::string noise() const;
  bool is_noisy() const { return !noise().empty(); }
  /// Factor between the speeds of its machine, by its rounds if they are noisy, and by its roofs; 1 of a steady one.
  double swing() const;
  bool is_done() const { return status == RunStatus::ok && has_figures(); }
  bool is_checked() const { return !check.deviations.empty(); }
  /// An unchecked result is not right: it is counted separately and compared with no other.
  bool is_right() const { return is_done() && is_checked(); }
  /// Processes times threads; one for each process if the device decides.
  int workers() const { return std::max(1, ranks) * std::max(1, threads); }
  std::string case_digest() const { return record ? record->case_.digest : key.case_; }
  std::int64_t steps() const { return record ? record->steps : key.steps; }
};

/// Of the noisier of two rows.
inline double swing_of(const Row& a, const Row& b) { return std::max(a.swing(), b.swing()); }

/// Pointers to rows of results.
using Rows = std::vector<const Row*>;

/// Rows of plans, without a tuner's trials; and the right ones among them.
Rows of_plans(const std::vector<Row>& rows);
Rows right_of_plans(const std::vector<Row>& rows);

/// The first of the fitting rows with the highest figure; nullptr if none fits.
const Row* best_of(const Rows& rows, const std::function<bool(const Row&)>& fits,
                   const std::function<double(const Row&)>& figure);

/// "work-group 64x4, delay 200": options that a run took from a tuner's file.
std::string tuned_of(const Record& record);

/// Makes an entry wrong, with the reason, if its record has a repeat that no roof of the peaks allows
/// (RooflineAnalysis).
void judge_rate(RunEntry& entry, const std::optional<Peaks>& peaks);

/// In the order of the results' entries.
std::vector<Row> make_rows(const Results& results);

/// Key of comparable rows: equal if workload, case, steps, precision and part are equal.
std::string case_of(const Row& row);

/// At the median.
double updates_per_second(const Row& row);
/// Makes a row the fastest if it is faster, or the first.
void keep_faster(auto*& fastest, auto& row) {
  if (!fastest || updates_per_second(row) > updates_per_second(*fastest)) fastest = &row;
}

/// Speed-ups are given over this model's variants.
inline constexpr const char* baseline_model = "serial";

/// Fills in the results of the network's fits for a row whose ranks exchange halos.
void predict(Row& row, const Peaks& peaks, const std::vector<Row>& rows);

/// Fills in all facts that depend on other rows.
void compare_rows(std::vector<Row>& rows);

/// Divides the speed-up of the fastest of each model on a processor into factors; for compared rows.
void add_factors(std::vector<Row>& rows);

/// Layers (rows of a grid, in three dimensions planes) of a row whose record has its extent.
double layers_of(const Row& row);
/// Seconds per layer of a rank's step, including the layers of a deep halo.
double layer_seconds(const Row& row);
/// The same code on this many ranks and threads of one node, on a grid that differs only in its layers: the right row
/// with that number of layers, or with the nearest ratio; among equals that of the same case. nullptr if there is none.
const Row* strip_row(const Row& row, double layers, int ranks, int threads, const std::vector<Row>& rows);

/// Pennycook's performance portability of each right row: the harmonic mean, over devices, of the shares of their roofs
/// that the same model, variant and setting reach on the same case in the same precision. The fastest of a device's
/// rows (several numbers of workers or steps) counts; devices with unknown roofs are left out. A processor is one
/// device, under any name. Source: S. J. Pennycook, J. D. Sewall and V. W. Lee, "A metric for performance portability",
/// 2016.
void add_portability(std::vector<Row>& rows);

/// A cell of the matrix of workloads and models with a smaller share of the best is behind.
inline constexpr double behind_below = 0.8;
/// A row of that matrix: equal if workload, case, precision and part are equal.
std::string problem_of(const Row& row);
/// Fills in the matrix: the ShareOfFastest of the fastest right row of each model and type of device, by its updates per second
/// over those of the fastest of all, without peers; and builds beside the first.
void add_shares(std::vector<Row>& rows);

}  // namespace boltzmark
