// A plan: which cases to run with which programs, and how often. README.md of analysis/ describes the file.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/run/launcher.hpp"
#include "analysis/run/own_program.hpp"

namespace boltzmark {

/// The workload of cases and runs that name none.
inline constexpr const char* usual_workload = "lbm";

/// What is computed, and how much of it.
struct PlanCase {
  std::string workload = usual_workload;
  std::string name = {};                    ///< what runs call it; "" = by its file or its words
  std::vector<std::string> arguments = {};  ///< the program's positional words; none: its default case
  std::filesystem::path params = {}, obstacles = {};  ///< of lattice Boltzmann; obstacles may be `none`
  std::vector<int> box =
      {};              ///< cells along two or three axes: no files, but a closed box that the driver makes
  bool grows = false;  ///< a box that is so many times as long in its last axis as a run has workers
  std::optional<int> steps = {};  ///< unset: as the case or the program has them
  bool check = true;              ///< whether results are held against the oracle
};

/// One line of work: a model (or every one that has the workload) on all its cases or some.
struct PlanRun {
  std::string workload = usual_workload;
  std::string model;  ///< a model's name, or every_model
  std::string
      variant;  ///< a name or a role ("textbook", "like-for-like", "peer"); "" = the program's default
  std::string precision = "f32";
  std::optional<int> threads, ranks;  ///< unset = one for each core, where they mean something
  std::string device, work_group;     ///< "" = the program's default
  std::optional<int> repeats;         ///< instead of the plan's
  std::optional<int> steps;           ///< instead of the cases'
  bool on_numa = false;               ///< not done, without a row, where memory is one NUMA node
  bool up_to_cores = false;           ///< not done, without a row, with more workers than cores
  bool warm_up = false;               ///< an untimed run before each timed one, in the same process
  std::vector<std::pair<std::string, std::string>> options;  ///< more, by name; "" as value: a flag
  std::vector<std::string> cases;                            ///< names; empty = all of the workload
  std::shared_ptr<const OwnProgram>
      own;  ///< instead of a model's program; model is own_model and variant its name
};
inline constexpr const char* every_model = "*";

/// A build folder whose programs are run: a compiler and its flags.
struct PlanBuild {
  std::string name;                         ///< what its runs are called, "gcc-o3"
  std::filesystem::path folder;             ///< of the build; the programs lie in its folder bin
  std::string compiler;                     ///< what a record's compiler begins with, "GNU"; "" = any
  std::vector<std::string> flags, without;  ///< words that are among a record's flags, and that are not
  std::string make;                         ///< the command that makes it
};

struct Plan {
  std::string name;  ///< of the file, without folder and ending
  std::filesystem::path file;
  std::string summary;                ///< one line for `list`
  int repeats = 3;                    ///< rounds over all runs
  double time_limit_seconds = 600.0;  ///< for each run
  bool within_cores = false;          ///< whether runs with more workers than cores are left out
  std::string within_devices;         ///< "gpu": runs need one such device for each rank; "" = none
  Launcher launcher;
  std::vector<PlanBuild> builds;  ///< empty: the programs beside the driver
  std::vector<PlanCase> cases;
  std::vector<PlanRun> runs;  ///< a list as a setting in the file is here a run for each of its values
};

/// Reads a plan. Throws Error (bad_input) with file, place, expected and found.
Plan load_plan(const std::filesystem::path& file);

/// The file of a plan given by name ("quick") or by path. `folder` holds the built-in plans. Throws Error
/// (bad_input) that names the built-in ones when there is neither.
std::filesystem::path find_plan(const std::string& name_or_file, const std::filesystem::path& folder);

/// Names of the plans in a folder, in alphabetical order.
std::vector<std::string> plan_names(const std::filesystem::path& folder);

}  // namespace boltzmark
