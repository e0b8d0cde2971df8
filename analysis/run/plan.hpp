// A plan: which cases to run with which programs, how often, and how ranks are launched (docs/guide/plans.md).
#pragma once

#include "analysis/run/submission.hpp"
#include "analysis/support/launcher.hpp"
#include "common/run/json.hpp"

namespace boltzmark {

/// Most runs of a plan in all: all are in memory before the first starts.
inline constexpr std::size_t most_scheduled = 100000;

/// The default workload of cases and runs.
inline constexpr const char* usual_workload = "lbm";

struct PlanCase {
  std::string workload = usual_workload;
  std::string name = {};                    ///< what runs call it; "" = by its file or its words
  std::vector<std::string> arguments = {};  ///< the program's positional words; none: its default case
  fs::path params = {}, obstacles = {};     ///< for lattice Boltzmann; obstacles may be `none`
  std::vector<int> box = {};      ///< cells along two or three axes: a closed box made by the driver, without files
  bool grows = false;             ///< a box whose last axis grows in proportion to a run's workers
  std::optional<int> steps = {};  ///< unset: the number of the case or the program
  bool check = true;              ///< whether results are compared with the oracle
};
BOLTZMARK_JSON(PlanCase)

/// How many rounds.
struct Repeats {
  int at_least = 3, at_most = 3;
  std::optional<double> until = {};  ///< further ones while relative_half_width() of the run's seconds exceeds this

  Repeats() = default;
  Repeats(int rounds) : at_least(rounds), at_most(rounds) {}
  /// "3", "3 to 30".
  std::string words() const;
};

/// One entry of `runs`: a model (or every one that has the workload) on all or some of its cases.
struct PlanRun {
  std::string workload = usual_workload;
  std::string model;    ///< a model's name, or every_model
  std::string variant;  ///< a name or a role ("textbook", "like-for-like", "peer"); "" = the program's default
  std::string precision = "f32";
  std::optional<int> threads, ranks;  ///< unset = one for each core, where they mean something
  /// Instead: a rank or a thread on each of this many cores, to which a program that takes neither number is confined.
  /// Not done, without a row, where there are fewer.
  std::optional<int> cores;
  std::string device, work_group;  ///< "" = the program's default
  std::optional<Repeats> repeats;  ///< instead of the plan's
  std::optional<int> steps;        ///< instead of the cases'
  bool on_numa = false;            ///< not done, without a row, where memory is one NUMA node
  bool if_time = false;            ///< only while there is time left of Plan::within_seconds
  bool warm_up = false;            ///< an untimed run before each timed one, in the same process
  std::vector<std::pair<std::string, std::string>> options;  ///< more, by name; "" as value: a flag
  std::vector<std::string> cases;                            ///< names; empty = all of the workload
  /// Instead of a model's program; model is submission_model and variant its name.
  std::shared_ptr<const Submission> submission;
};
BOLTZMARK_JSON(PlanRun)
inline constexpr const char* every_model = "*";

/// A build folder whose programs are run, with its compiler and flags.
struct PlanBuild {
  std::string name;                         ///< name in its runs, "gcc-o3"
  fs::path folder;                          ///< of the build; its folder bin contains the programs
  std::string compiler;                     ///< beginning of a record's compiler, "GNU"; "" = any
  std::vector<std::string> flags, without;  ///< words that a record's flags contain, and that they do not
  std::string make;                         ///< the command that builds it
};
BOLTZMARK_JSON(PlanBuild)

struct Plan {
  std::string name;  ///< of the file, without folder and ending
  fs::path file;
  std::string summary;                   ///< one line for `list`
  Repeats repeats;                       ///< rounds over all runs
  double time_limit_seconds = 600.0;     ///< for each run
  std::optional<double> within_seconds;  ///< of all runs: for rounds beyond Repeats::at_least, and PlanRun::if_time
  bool within_cores = false;             ///< whether runs with more workers than cores are left out
  std::string within_devices;            ///< "gpu": runs need one such device per rank; "" = none
  Launcher launcher;
  std::vector<std::string> models;  ///< only these run, unless the call names models; empty: all
  std::vector<std::string> ladder;  ///< "MODEL VARIANT" of each step of optimisation, in order
  std::vector<PlanBuild> builds;    ///< empty: the programs of the driver's own build
  std::vector<PlanCase> cases;
  std::vector<PlanRun> runs;  ///< a list as a setting in the file becomes one run per value
};
BOLTZMARK_JSON(Plan)

/// Throws Error (bad_input) with the file, the place, what was expected and what was found.
Plan load_plan(const fs::path& file);

/// `folder` holds the built-in plans. Throws Error (bad_input), which names them, if there is neither plan nor file.
fs::path find_plan(const std::string& name_or_file, const fs::path& folder);

/// Names of the plans in a folder, in alphabetical order.
std::vector<std::string> plan_names(const fs::path& folder);

}  // namespace boltzmark
