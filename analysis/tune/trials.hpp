// Measures options with a program: one run after a warm-up, then two more, unless the first is clearly worse
// than the best. What was measured before is not measured again.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/run/runner.hpp"
#include "analysis/run/schedule.hpp"
#include "analysis/store/store.hpp"
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
  std::string variant, precision;
  std::string device,
      device_name;  ///< as --device takes it, and as the program calls it; "" where it has none
  std::optional<int> threads, ranks;  ///< unset = as `boltzmark run` would choose
  PlanCase source;                    ///< what is computed, as asked for
  std::optional<int> steps;           ///< of a run, where the program takes them
  int repeats = 1;                    ///< timed runs that count as one, where a single one is too short
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
  std::optional<Trial> make(const TunedOptions& options, std::optional<double> best,
                            const std::function<void(double)>& on_tick);

  /// Whether the trial's first run was done before, so that it takes no time worth speaking of.
  bool is_known(const TunedOptions& options);

  /// The first job of a trial; its predetermined and reason say when this machine cannot do any.
  Job first_job(const TunedOptions& options) { return job_for(options, 1); }
  /// The case with its steps.
  const Case& of() { return cases_.at(0, setup_.steps, 1); }

  const TrialSetup& setup() const { return setup_; }
  /// Of the newest run that has one.
  const std::optional<Record>& record() const { return record_; }

 private:
  Job job_for(const TunedOptions& options, int round);
  RunEntry entry_of(const Job& job, const std::function<void(double)>& on_tick);

  TrialSetup setup_;
  Plan plan_;
  Cases cases_;
  std::string host_;
  Store& store_;
  SignalWatch& signals_;
  Runner runner_;
  std::optional<Record> record_;
};

/// Whether an entry of a tuner needs no second try: it has a result, or the program said that it cannot be had,
/// or it took too long.
bool is_settled(const RunEntry* entry);

}  // namespace boltzmark
