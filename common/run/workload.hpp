// What a workload is to the runner: what is computed, and what is right. common/<workload>/ has one class each.
#pragma once

#include <string>
#include <vector>

#include "common/run/program.hpp"
#include "common/run/record.hpp"
#include "common/run/team.hpp"
#include "common/run/workload_options.hpp"

namespace boltzmark {

/// How often a case is run.
struct RepeatRule {
  int usual = 1;                 ///< timed runs without --repeat
  bool always_warms_up = false;  ///< an untimed one first even then
  int most = 1'000'000;
  bool starts_anew = true;  ///< every run begins with init; else it goes on from where the last one ended
  /// An untimed run before every timed one: checks that take the host some time leave a device asleep, and its next launch is a
  /// tenth slower.
  bool warms_up_each = false;
};

/// What results are held against.
struct CheckRule {
  bool always = true;       ///< against the oracle, even without --check
  std::string prefix = "";  ///< what --check PREFIX reads, for --help; "" = only --check oracle is known
};

/// Used in the order of declaration; everything but `name`, `repeats`, `checks` and `add_options` in one run. Throws Error.
class Workload {
 public:
  virtual ~Workload() = default;

  /// Of its folder: "lbm".
  virtual std::string name() const = 0;
  virtual RepeatRule repeats() const { return {}; }
  virtual CheckRule checks() const { return {}; }
  /// The case as positional arguments, and options of this workload. Called once for each parsing.
  virtual void add_options(WorkloadOptions& options) = 0;

  /// After parsing, on every rank: reads or makes the case. Only the root keeps what only it needs.
  virtual void load(const Options& options, const Team& team) = 0;
  /// The variant that runs when none is named: the fastest that is right for this case and device.
  virtual std::string default_variant(const Options& options) const = 0;
  /// What options are tuned for, beside model, device, variant and precision: the case's size, "128x128".
  virtual std::string size() const = 0;
  /// Once the options are final: says early what this machine or this model cannot do.
  virtual void prepare(const Options& options, const Team& team) = 0;

  /// Makes what each rank can make by itself: a rank may fail in here while others do not. Timed with `init`.
  virtual void make(const Options&) {}
  /// Makes the variant and its start state; ranks may talk to one another. Not timed with the run, but by itself.
  virtual void init(const Options& options, Team& team) = 0;
  /// On the root, once init has shown that the run is possible and before any time is spent on it: whether what
  /// is to be written can be.
  virtual void expect_output() {}
  /// The timed part; seconds of each of its parts (time_on).
  virtual std::vector<double> run(Team& team) = 0;
  /// After every run and not timed: throws Error (unavailable) where it was not done as it should be and only
  /// the model can tell, such as on another device.
  virtual void confirm() {}
  /// Brings results to the root, as far as anything is made of them.
  virtual void collect(Team&) {}
  /// Holds the results against what is right; the worst of all runs is kept. Collective.
  virtual void check(const Options& options, Team& team, bool is_last) = 0;
  virtual RunFacts facts() const = 0;

  /// On the root, after the last run: writes result files.
  virtual void write() {}
  /// Fills in case, steps, work, parts, metrics and check; the rest of the record is there already. The first
  /// metric is the rate.
  virtual void fill(Record& record) const = 0;
  /// What is printed of the case, as lines, below model and device.
  virtual std::string case_lines(const Record& record) const = 0;
  /// What is printed at the end.
  virtual std::string closing_lines(const Record& record) const { return (void)record, ""; }
  /// Why the results are worthless, found without a check; "" when they are not.
  virtual std::string complaint() const { return ""; }
};

}  // namespace boltzmark
