// A plan: which problems to run with which models, how often, and what the comparison compares.
// README.md of this folder describes the file format.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/run/launcher.hpp"

namespace boltzmark {

/// A problem and how much of it to run.
struct PlanProblem {
  std::filesystem::path params, obstacles;  ///< as the models take them; obstacles may be the word `none`
  std::optional<int> steps;                 ///< instead of the parameter file's iterations
  int box_nx = 0, box_ny = 0;               ///< above 0: no files, but a closed box that the driver makes
  bool check = true;                        ///< whether results are held against the oracle
};

/// One line of work: a model (or every model that is built) on all problems or some.
struct PlanRun {
  std::string model;    ///< a model's name, or every_model
  std::string variant;  ///< "" = the model's default, or compared_variant
  std::string precision = "f32";
  std::optional<int> threads, ranks;  ///< unset = one for each core, where they mean something
  std::string device, work_group;     ///< "" = the model's default
  std::optional<int> repeats;         ///< instead of the plan's
  std::optional<int> steps;           ///< instead of the problems'
  bool warm_up = false;               ///< an untimed run before each timed one, in the same process
  std::vector<std::string> options;   ///< more arguments for the model
  std::vector<std::string> problems;  ///< names of the plan's problems; empty = all
};
inline constexpr const char* every_model = "*";
/// As a run's variant: the one in which its model is compared like for like.
inline constexpr const char* compared_variant = "compare";

/// A build folder whose programs are run: a compiler and its flags.
struct PlanBuild {
  std::string name;                         ///< what its runs are called, "gcc-o3"
  std::filesystem::path folder;             ///< of the build; the programs lie in its folder bin
  std::string compiler;                     ///< what a record's compiler begins with, "GNU"; "" = any
  std::vector<std::string> flags, without;  ///< words that are among a record's flags, and that are not
  std::string make;                         ///< the command that makes it
};

/// A model's variant that speed-ups are given over.
struct Baseline {
  std::string model, variant;
};

/// The variant in which models are compared like for like: one name, and another for models that call it
/// differently.
struct LikeForLike {
  std::string variant = "fused";
  std::map<std::string, std::string> of_model = {
      {"opencl", "two-grid"}};  ///< its `fused` is a published step

  const std::string& of(const std::string& model) const;
  /// "fused, in opencl two-grid" or "fused in every model".
  std::string words() const;
};

struct Plan {
  std::string name;  ///< of the file, without folder and ending
  std::filesystem::path file;
  std::string summary;                ///< one line for `list`
  int repeats = 3;                    ///< rounds over all runs
  double time_limit_seconds = 600.0;  ///< for each run
  bool within_cores = false;          ///< whether runs with more workers than cores are left out
  std::string within_devices;         ///< "gpu": runs need one such device for each rank; "" = none
  LikeForLike compare;
  std::vector<Baseline> baselines = {{"serial", "textbook"}, {"serial", "fused"}};
  Launcher launcher;
  std::vector<PlanBuild> builds;  ///< empty: the programs beside the driver
  std::vector<PlanProblem> problems;
  std::vector<PlanRun> runs;
  std::vector<PlanRun> stream;  ///< STREAM runs; without variant, work-group, warm-up and problems
};

/// Reads a plan. Throws Error (bad_input) with file, place, expected and found.
Plan load_plan(const std::filesystem::path& file);

/// The file of a plan given by name ("quick") or by path. `folder` holds the built-in plans. Throws Error
/// (bad_input) that names the built-in ones when there is neither.
std::filesystem::path find_plan(const std::string& name_or_file, const std::filesystem::path& folder);

/// Names of the plans in a folder, in alphabetical order.
std::vector<std::string> plan_names(const std::filesystem::path& folder);

}  // namespace boltzmark
