// A plan: which cases to run with which programs, how often, and how ranks are launched. docs/guide/plans.md
// describes the file.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/run/submission.hpp"
#include "analysis/support/launcher.hpp"
#include "common/run/json.hpp"

namespace boltzmark {

/// Runs that a plan may have in all, for each is in memory before the first is done.
inline constexpr std::size_t most_scheduled = 100000;

/// The workload of cases and runs that name none.
inline constexpr const char* usual_workload = "lbm";

/// What is computed, and how much of it.
struct PlanCase {
  std::string workload = usual_workload;
  std::string name = {};                    ///< what runs call it; "" = by its file or its words
  std::vector<std::string> arguments = {};  ///< the program's positional words; none: its default case
  fs::path params = {}, obstacles = {};     ///< of lattice Boltzmann; obstacles may be `none`
  std::vector<int> box = {};      ///< cells along two or three axes: no files, but a closed box that the driver makes
  bool grows = false;             ///< a box that is so many times as long in its last axis as a run has workers
  std::optional<int> steps = {};  ///< unset: as the case or the program has them
  bool check = true;              ///< whether results are held against the oracle
};
BOLTZMARK_JSON(PlanCase)

/// How many rounds.
struct Repeats {
  int at_least = 3, at_most = 3;
  /// Rounds above at_least are done while relative_half_width() of the run's seconds is above this.
  std::optional<double> until = {};

  Repeats() = default;
  Repeats(int rounds) : at_least(rounds), at_most(rounds) {}
  /// "3", "3 to 30".
  std::string words() const;
};

/// One line of work: a model (or every one that has the workload) on all its cases or some.
struct PlanRun {
  std::string workload = usual_workload;
  std::string model;    ///< a model's name, or every_model
  std::string variant;  ///< a name or a role ("textbook", "like-for-like", "peer"); "" = the program's default
  std::string precision = "f32";
  std::optional<int> threads, ranks;  ///< unset = one for each core, where they mean something
  std::string device, work_group;     ///< "" = the program's default
  std::optional<Repeats> repeats;     ///< instead of the plan's
  std::optional<int> steps;           ///< instead of the cases'
  bool on_numa = false;               ///< not done, without a row, where memory is one NUMA node
  bool up_to_cores = false;           ///< not done, without a row, with more workers than cores
  bool if_time = false;               ///< only while there is time left of Plan::within_seconds
  bool warm_up = false;               ///< an untimed run before each timed one, in the same process
  std::vector<std::pair<std::string, std::string>> options;  ///< more, by name; "" as value: a flag
  std::vector<std::string> cases;                            ///< names; empty = all of the workload
  std::shared_ptr<const Submission>
      submission;  ///< instead of a model's program; model is submission_model and variant its name
};
BOLTZMARK_JSON(PlanRun)
inline constexpr const char* every_model = "*";

/// A build folder whose programs are run: a compiler and its flags.
struct PlanBuild {
  std::string name;                         ///< what its runs are called, "gcc-o3"
  fs::path folder;                          ///< of the build; the programs lie in its folder bin
  std::string compiler;                     ///< what a record's compiler begins with, "GNU"; "" = any
  std::vector<std::string> flags, without;  ///< words that are among a record's flags, and that are not
  std::string make;                         ///< the command that makes it
};
BOLTZMARK_JSON(PlanBuild)

struct Plan {
  std::string name;  ///< of the file, without folder and ending
  fs::path file;
  std::string summary;                ///< one line for `list`
  Repeats repeats;                    ///< rounds over all runs
  double time_limit_seconds = 600.0;  ///< for each run
  /// For all runs: rounds above those of Repeats::at_least, and runs with PlanRun::if_time, are done as far as they fit
  /// into these.
  std::optional<double> within_seconds;
  bool within_cores = false;   ///< whether runs with more workers than cores are left out
  std::string within_devices;  ///< "gpu": runs need one such device for each rank; "" = none
  Launcher launcher;
  std::vector<std::string> models;  ///< runs are of these alone, unless the call names models; empty: of all
  std::vector<std::string> ladder;  ///< "MODEL VARIANT" of each step of optimisation, in their order
  std::vector<PlanBuild> builds;    ///< empty: the programs of the driver's own build
  std::vector<PlanCase> cases;
  std::vector<PlanRun> runs;  ///< a list as a setting in the file is here a run for each of its values
};
BOLTZMARK_JSON(Plan)

/// Reads a plan. Throws Error (bad_input) with file, place, expected and found.
Plan load_plan(const fs::path& file);

/// The file of a plan given by name ("quick") or by path. `folder` holds the built-in plans. Throws Error
/// (bad_input) that names the built-in ones when there is neither.
fs::path find_plan(const std::string& name_or_file, const fs::path& folder);

/// Names of the plans in a folder, in alphabetical order.
std::vector<std::string> plan_names(const fs::path& folder);

}  // namespace boltzmark
