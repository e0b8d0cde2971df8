// From a plan and the models that are here to the list of runs, in the order in which they are done.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/run/models.hpp"
#include "analysis/run/plan.hpp"
#include "analysis/run/run_entry.hpp"
#include "common/lbm/problem.hpp"

namespace boltzmark {

/// A problem of the plan, read and named.
struct ScheduledProblem {
  Problem problem;
  PlanProblem source;
  int steps = 0;         ///< that will be run
  bool of_runs = false;  ///< it is there only for runs that name these steps
  std::string digest;    ///< 16 hexadecimal digits

  double updates() const { return static_cast<double>(problem.cells()) * steps; }
};

/// Reads the plan's problems, and makes those that are boxes, each also with the other steps that runs name;
/// make_files() writes these into folder `made`.
/// Throws Error (bad_input), also when a run names a problem that is not among them.
std::vector<ScheduledProblem> load_problems(const Plan& plan, const std::filesystem::path& made = "problems");

/// Writes the files of a problem that is a box. Throws Error (bad_input).
void make_files(const ScheduledProblem& problem);

struct DeviceCount {
  int number = 0;
  std::string failure = {};  ///< why there is no answer, "" when there is
  bool is_refused = false;   ///< which is the plan's fault
};

/// A model of the plan and what it said when asked.
struct ProbedModel {
  ModelProgram model;
  Abilities abilities;
  std::string failure;  ///< why it gave no answer, "" when it did
  std::string digest;   ///< of the executable, "" when it was not built
  /// Where the plan wants devices: how many of that type the program lists with a run's options, or why none.
  std::map<std::vector<std::string>, DeviceCount> devices = {};
};

/// Asks the models that the plan's runs need. Throws Error (bad_input) for a run whose model does not exist.
std::vector<ProbedModel> probe_models(const Plan& plan, const std::vector<ModelProgram>& models,
                                      SignalWatch& signals);

/// What the user chose on the command line and what the machine offers.
struct ScheduleOptions {
  std::vector<std::string> models = {}, problems = {}, builds = {};  ///< only these; empty = all
  std::optional<int> repeats = {};                                   ///< instead of all numbers in the plan
  int cores = 1;                       ///< threads or ranks where the plan names none
  std::string host = {}, oracle = {};  ///< for the keys
};

/// A run to do: one process.
struct Job {
  RunKey key;
  int problem = 0;                    ///< index into the problems; no_problem for a STREAM run
  std::string name;                   ///< of the problem, or stream_problem
  bool checked = true;                ///< against the oracle's answer, unless it is a STREAM run
  int rounds = 1;                     ///< of its configuration; 1 when it is foregone
  bool launched = false;              ///< through the launcher, with key.ranks ranks
  std::vector<std::string> command;   ///< program and arguments, without launcher, check and record
  std::optional<RunStatus> foregone;  ///< set when it cannot be run: how it ends, and why
  std::string reason;
  bool lacks_device = false;  ///< this is why: of what the plan is for there is none at all
};

inline constexpr int no_problem = -1;

/// All jobs: round 1 of every configuration, then round 2, ... so that a slow minute of the machine hits all
/// models alike. Within a round STREAM comes first, then the problems in their order; within these the order
/// is that of the plan's runs, then of models. A configuration that the plan names twice comes once. Throws
/// Error (bad_input) for a name in `options` that is not there.
std::vector<Job> make_schedule(const Plan& plan, const std::vector<ScheduledProblem>& problems,
                               const std::vector<ProbedModel>& models, const ScheduleOptions& options);

/// "openmp fused f64, 2 threads": what the user is shown of a job.
std::string describe(const RunKey& key);

}  // namespace boltzmark
