// Expands a plan, its cases and the available programs into a list of jobs in order of execution.
#pragma once

#include "analysis/run/cases.hpp"
#include "analysis/run/programs.hpp"
#include "analysis/store/store.hpp"

namespace boltzmark {

/// The user's choices on the command line and the resources of the machine.
struct ScheduleOptions {
  std::vector<std::string> workloads = {}, models = {}, cases = {}, builds = {};  ///< only these; empty = all
  std::optional<int> repeats = {};  ///< instead of all numbers in the plan
  int cores = 1;                    ///< threads or ranks if the plan names none
  int numa_nodes = 1;
  std::string host = {}, oracle = {};  ///< for the keys
};

/// A run to do: one process.
struct Job {
  RunKey key;
  const Case* of = nullptr;                ///< what it computes
  bool checked = true;                     ///< against the oracle
  Repeats repeats = 1;                     ///< of its configuration; 1 if it is predetermined
  int number = 0;                          ///< of its configuration in the plan's order
  bool if_time = false;                    ///< see PlanRun
  bool launched = false;                   ///< through the launcher, with key.ranks ranks
  bool compiles_kernels = false;           ///< in its first run
  std::vector<std::string> command;        ///< program and arguments, without launcher, check and record
  std::optional<RunStatus> predetermined;  ///< set if it cannot be run: how it ends, and why
  std::string reason;
  std::optional<Submission> submission;  ///< the user's own program instead, with the run's threads and ranks
  bool lacks_device = false;             ///< the reason: the machine has none of the devices that the plan is for
};

/// The entry of a job that is not done yet.
RunEntry new_entry(const Job& job);

/// As many rounds of all jobs as they have at most: round 1 of every configuration, then round 2, ... so that a slow
/// minute of the machine affects all programs alike; within a round by case, run of the plan, and program. A
/// configuration that the plan names twice occurs once. The cases must outlive the jobs. Ends early at a stop signal.
/// Throws Error (bad_input) for an unknown name in `options`.
std::vector<Job> make_schedule(const Plan& plan, Cases& cases, const std::vector<ProbedProgram>& programs,
                               const ScheduleOptions& options, SignalWatch& signals);

/// In an order that depends on the seed alone, on any machine (Fisher-Yates shuffle).
void shuffle(std::vector<const Job*>& jobs, std::uint32_t seed);

/// The widest relative_half_width() of a configuration's seconds, whole or of any part, without disturbed repeats; 0 if
/// a round is not right, because more rounds do not help; infinite if all were disturbed.
double width_of(const std::vector<const RunEntry*>& rounds);

/// "openmp fused f64, 2 threads": a job as shown to the user.
std::string describe(const RunKey& key);

}  // namespace boltzmark
