// What to run: from a plan, its cases and the programs that are here to a list of jobs in the order in which
// they are done.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/run/cases.hpp"
#include "analysis/run/programs.hpp"
#include "analysis/store/store.hpp"

namespace boltzmark {

/// What the user chose on the command line and what the machine offers.
struct ScheduleOptions {
  std::vector<std::string> workloads = {}, models = {}, cases = {}, builds = {};  ///< only these; empty = all
  std::optional<int> repeats = {};  ///< instead of all numbers in the plan
  int cores = 1;                    ///< threads or ranks where the plan names none
  int numa_nodes = 1;
  std::string host = {}, oracle = {};  ///< for the keys
};

/// A run to do: one process.
struct Job {
  RunKey key;
  const Case* of = nullptr;                ///< what it computes
  bool checked = true;                     ///< against the oracle
  Repeats repeats = 1;                     ///< of its configuration; 1 when it is predetermined
  int number = 0;                          ///< of its configuration in the plan's order
  bool if_time = false;                    ///< see PlanRun
  bool launched = false;                   ///< through the launcher, with key.ranks ranks
  bool compiles_kernels = false;           ///< in its first run
  std::vector<std::string> command;        ///< program and arguments, without launcher, check and record
  std::optional<RunStatus> predetermined;  ///< set when it cannot be run: how it ends, and why
  std::string reason;
  std::optional<Submission> submission;  ///< the user's own program instead, with the run's threads and ranks
  bool lacks_device = false;             ///< this is why: of what the plan is for there is none at all
};

/// All jobs, as many rounds as they have at most: round 1 of every configuration, then round 2, ... so that a slow
/// minute of the machine hits all programs alike. Within a round the cases come in their order; within these the order
/// is that of the plan's runs, then of programs. A configuration that the plan names twice comes once. The cases must
/// outlive the jobs. Ends early at a stop signal. Throws Error (bad_input) for a name in `options` that is not there.
std::vector<Job> make_schedule(const Plan& plan, Cases& cases, const std::vector<ProbedProgram>& programs,
                               const ScheduleOptions& options, SignalWatch& signals);

/// In an order that the seed alone decides, on any machine (Fisher and Yates).
void shuffle(std::vector<const Job*>& jobs, std::uint32_t seed);

/// The widest relative_half_width() of these rounds of one configuration, of its whole seconds or of any part, without
/// disturbed repeats; 0 where one is not right, which more rounds do not mend; infinite where all were disturbed.
double width_of(const std::vector<const RunEntry*>& rounds);

/// "openmp fused f64, 2 threads": what the user is shown of a job.
std::string describe(const RunKey& key);

}  // namespace boltzmark
