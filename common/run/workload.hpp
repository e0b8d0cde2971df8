// A workload as the runner sees it: the computation and its check. Each common/<workload>/ has one such class.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/run/program.hpp"
#include "common/run/record.hpp"
#include "common/run/team.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace boltzmark {

/// The workload's arguments and options, in the order of --help. The parser's header takes longer to compile than the
/// rest of a workload, so it is not included here.
class WorkloadOptions {
 public:
  explicit WorkloadOptions(CLI::App& app) : app_(app) {}

  /// Handle for further properties of an option.
  class Added {
   public:
    explicit Added(CLI::Option& option) : option_(option) {}
    Added value_name(const std::string& name);  ///< placeholder of its value in --help
    Added range(std::int64_t least, std::int64_t most);
    Added positive();
    Added choices(const std::vector<std::string>& values);
    Added excludes(const std::string& other);
    Added output();  ///< an output option: under that heading of --help

   private:
    CLI::Option& option_;
  };

  /// `name`: "--steps", or "SIZE" for an argument. T is one of those in options.cpp.
  template <class T>
  Added add(const std::string& name, T& value, const std::string& help);
  Added add_flag(const std::string& name, bool& value, const std::string& help);

 private:
  CLI::App& app_;
};

/// Number of runs of a case.
struct RepeatRule {
  int usual = 1;                 ///< timed runs without --repeat
  bool always_warms_up = false;  ///< an untimed run first even without --repeat
  int most = 1'000'000;
  bool restarts = true;  ///< each run starts from init(); otherwise it continues the previous one
  /// Untimed runs before every timed one: during a long check on the host a device goes to sleep and a shared cache
  /// loses the arrays; five passes restore both.
  int warm_ups = 0;
};

/// Reference of the check.
struct CheckRule {
  bool always = true;           ///< check against the oracle, even without --check
  std::string prefix = "";      ///< files that --check PREFIX reads, for --help; "" = only --check oracle is accepted
  bool last_shows_all = false;  ///< runs continue one another, and the last one's results show what any did wrong
};

/// Whether the results of a run are collected and checked: those of a warm-up (a negative number), of every run until
/// checks have taken a second, then of runs 1, 2, 4, 8, ... and the last. Checks of thousands of short runs would take
/// minutes.
inline bool is_checked(int number, bool is_last, double seconds_of_checks) {
  return number < 0 || is_last || seconds_of_checks < 1.0 || std::has_single_bit(static_cast<unsigned int>(number));
}

/// The runner calls load, prepare, then for each run init, spoil, run, confirm, and where is_checked() collect and
/// check; at the end write and fill. All throw Error.
class Workload {
 public:
  virtual ~Workload() = default;

  /// Name of its folder: "lbm".
  virtual std::string name() const = 0;
  virtual RepeatRule repeats() const { return {}; }
  virtual CheckRule checks() const { return {}; }
  /// The case as positional arguments, and options of this workload. Called once for each parsing.
  virtual void add_options(WorkloadOptions& options) = 0;

  /// After parsing, on every rank: reads or makes the case. Data that only the root needs are kept only there.
  virtual void load(const Options&, const Team&) {}
  /// The default variant: the fastest one supported for this case and device.
  virtual std::string default_variant(const Options& options) const = 0;
  /// The size of the case, "128x128": with model, device, variant and precision the key of tuned options.
  virtual std::string size() const = 0;
  /// Makes the variant once the options are final; rejects what this machine or model does not support before anything
  /// large is allocated. A rank may fail here while others do not.
  virtual void prepare(const Options& options, const Team& team) = 0;

  /// Allocates and sets the start state; ranks may communicate. Timed by itself.
  virtual void init(const Options& options, Team& team) = 0;
  /// On the root after the first init: checks that the output files can be written, before anything is timed.
  virtual void expect_output() {}
  /// Untimed, before every run: makes sure that results of an earlier run cannot pass for those of this one.
  virtual void spoil() {}
  /// The timed part; returns its seconds, or those of each of its parts (time_on), which the record keeps.
  virtual std::vector<double> run(Team& team) = 0;
  /// Untimed, after every run: throws Error (unavailable) if the device reports that the run failed.
  virtual void confirm() {}
  /// Brings results to the root if they are used, before check().
  virtual void collect(Team&) {}
  /// Compares the results with the reference and keeps the worst deviations of all checked runs (is_checked), the
  /// warm-up included. Collective.
  virtual void check(const Options& options, Team& team, bool is_last) = 0;
  virtual RunFacts facts() const = 0;

  /// On the root, after the last run: writes result files.
  virtual void write() {}
  /// Fills in case, steps, work, metrics, check and the descriptions of parts; the rest of the record, the parts'
  /// seconds included, is complete already. The first metric is the rate.
  virtual void fill(Record& record) const = 0;
  /// Lines about the case, printed below model and device.
  virtual std::string case_lines(const Record& record) const = 0;
  /// Lines printed at the end.
  virtual std::string closing_lines(const Record& record) const { return (void)record, ""; }
  /// Why the results are worthless, if that shows without a check; else "".
  virtual std::string complaint() const { return ""; }
};

/// For the workload's entry.
template <class Class>
std::unique_ptr<Workload> workload_for(const Program& program) {
  return std::make_unique<Class>(program);
}

/// The one main of all programs: parse, load, init, run, collect, check, write, report. Returns the exit status.
int run_main(int argc, char** argv, const Program& program, Workload& workload, Team& team);

/// Name of the executable: "lbm-openmp-target".
std::string program_name(const Program& program, const Workload& workload);

}  // namespace boltzmark
