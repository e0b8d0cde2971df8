// Measures options with a program: one run after a warm-up, then two more, unless the first is clearly worse
// than the best. What was measured before is not measured again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/run/runner.hpp"
#include "analysis/run/schedule.hpp"
#include "analysis/store/store.hpp"
#include "analysis/support/commands.hpp"
#include "analysis/tune/search.hpp"
#include "analysis/tune/shapes.hpp"

namespace boltzmark {

/// A first run that takes over so many times the best has no second and third.
inline constexpr double stop_factor = 1.5;

/// The name under which a model's shapes are tuned.
inline constexpr const char* work_group_name = "work-group";

/// What is the same in all trials.
struct TrialSetup {
  ProbedProgram probed;
  PlanRun run;              ///< without options; its steps only where the program takes them
  std::string device_name;  ///< as the program calls it; "" where it has none
  PlanCase source;          ///< what is computed, as asked for
  int repeats = 1;          ///< timed runs that count as one, where a single one is too short
  Launcher launcher;
  double time_limit_seconds = 60.0;  ///< of a process, with building its kernels
  ShapeLimits limits = {};           ///< of the device, where there are work-groups
};

class Trials {
 public:
  /// Store and signals must outlive it; the answer of the case must be in the store's folder when the first
  /// trial is made.
  Trials(TrialSetup setup, Store& store, SignalWatch& signals);

  /// A trial of these options; `best` is the lowest time so far. None when a stop signal ended it. `on_tick`
  /// as in run_process.
  std::optional<Trial> make(const TunedOptions& options, std::optional<double> best, const Tick& on_tick);

  /// Whether the trial's first run was done before, so that it takes no time worth speaking of.
  bool is_known(const TunedOptions& options);

  /// The first job of a trial; its predetermined and reason say when this machine cannot do any.
  Job first_job(const TunedOptions& options) { return job_for(options, 1); }
  /// The case with its steps.
  const Case& of() { return cases_.at(0, setup_.run.steps, 1); }

  const TrialSetup& setup() const { return setup_; }
  /// Of the newest run that has one.
  const std::optional<Record>& record() const { return record_; }

 private:
  Job job_for(const TunedOptions& options, int round);
  RunEntry entry_of(const Job& job, const Tick& on_tick);

  TrialSetup setup_;
  Plan plan_;
  Cases cases_;
  std::string host_;
  Store& store_;
  SignalWatch& signals_;
  Runner runner_;
  std::optional<Record> record_;
};

// ---- From what the user asked for to a setup (preparation.cpp).

/// The program, asked for what it can do on the device. Throws Error (bad_input, unavailable).
ProbedProgram find_tuned_program(const TuneOptions& options, SignalWatch& signals);

/// Work-items that the device of a description's limits allows; zeros where there are no work-groups.
ShapeLimits limits_in(const nlohmann::json& limits);

/// What is tried of the setup's variant, shapes first: the options that it takes and that have values worth
/// trying, with the user's wishes in them. Throws Error (bad_input) for an option that is not there to be tuned.
std::vector<Tunable> tunables_for(const TuneOptions& options, const TrialSetup& setup, int dimension);

/// Fills in the variant where it is the program's default, and the steps: those that earlier trials of the same
/// had, else so many that a run takes about 0.2 s but the oracle no more than some 20 s. A program without
/// steps gets so many repeats. Does short runs for that. False when a stop signal came. Throws Error as the
/// program fails.
bool choose_setup(TrialSetup& setup, const TuneOptions& options, Store& store, SignalWatch& signals);

/// Whether an entry of a tuner needs no second try: it has a result, or the program said that it cannot be had,
/// or it took too long.
bool is_settled(const RunEntry* entry);

}  // namespace boltzmark
