// The programs of this build or of the builds that a plan names, and their answers to --describe.
#pragma once

#include "analysis/run/plan.hpp"
#include "analysis/run/submission.hpp"
#include "analysis/store/store.hpp"
#include "analysis/support/process.hpp"
#include "common/base/text.hpp"
#include "common/run/describe.hpp"

namespace boltzmark {

/// A program as CMake wrote it into programs.json: a model of a workload.
struct BuiltProgram {
  std::string workload, model;
  std::string program;                                ///< file name of the executable
  std::string skipped;                                ///< why it was not built and what to install, "" when it was
  bool launcher = false;                              ///< started through an MPI launcher
  fs::path path = {};                                 ///< of the executable
  bool is_missing = false;                            ///< it was to be built, but does not exist
  std::string build = {};                             ///< the plan's build that it belongs to; "" = the driver's own
  std::shared_ptr<const Submission> submission = {};  ///< not built by CMake: the user's
};
BOLTZMARK_JSON(BuiltProgram)

/// All of programs.json, built or not. Throws Error (bad_input).
std::vector<BuiltProgram> configured_programs(const fs::path& folder);

/// The same; those that do not exist are skipped, with how to build them as the reason.
std::vector<BuiltProgram> read_programs(const fs::path& folder);

/// Their workloads or models, each once, in the order of the list.
std::vector<std::string> names_in(const std::vector<BuiltProgram>& programs, std::string BuiltProgram::*name);

/// Throws Error (bad_input) unless all chosen names are known.
void expect_names(const char* option, const std::vector<std::string>& chosen, const std::vector<std::string>& known);

/// Whether this one is chosen; none chosen means all.
inline bool is_chosen(const std::vector<std::string>& chosen, const std::string& name) {
  return chosen.empty() || contains(chosen, name);
}

/// --describe, with these options. Throws Error: bad_input if the program does not know them, else unavailable.
ProgramDescription ask(const BuiltProgram& program, const std::vector<std::string>& options, SignalWatch& signals);

/// The variant of this name, or else the first in this role; nullptr if there is neither.
const VariantDescription* find_variant(const ProgramDescription& program, const std::string& name_or_role);

/// Why this variant and precision are not available ("" as variant: the program's default), "" if they are.
std::string lacks(const ProgramDescription& program, const std::string& variant, const std::string& precision);

/// Option words for a program, from its key.
using Words = std::vector<std::string>;

struct DeviceCount {
  int number = 0;
  std::string failure = {};  ///< why there is no answer, "" when there is
  bool is_refused = false;   ///< the plan is at fault
};

struct ProbedProgram {
  BuiltProgram program;
  ProgramDescription description = {};
  std::string failure = {};  ///< why it gave no answer, "" when it did
  std::string digest = {};   ///< of the executable, "" when it was not built
  /// If the plan needs devices: how many of that type the program lists with a run's options, or why none.
  std::map<Words, DeviceCount> devices = {};

  bool takes(const std::string& option) const;
};

/// Whether a run of the plan uses this program.
bool is_for(const PlanRun& run, const BuiltProgram& program);

bool has_runs(const Plan& plan, const BuiltProgram& program);

/// A run for every model passes an option only to those that take it; a run for one model passes all of them.
Words option_words(const PlanRun& run, const ProbedProgram& program);

/// Throws Error (bad_input) for a run whose workload or model does not exist.
void check_runs(const Plan& plan, const std::vector<BuiltProgram>& programs);

/// Asks the programs that the plan's runs need; ends early at a stop signal. Throws what check_runs() throws.
std::vector<ProbedProgram> probe_programs(const Plan& plan, const std::vector<BuiltProgram>& programs,
                                          SignalWatch& signals);

/// Why it cannot be used and how to make it, in one line; "" if it exists.
std::string build_missing(const PlanBuild& build);

/// The programs of every existing build of the plan, build after build; without builds in the plan those of the
/// driver's own build, in `own_folder`. A missing build is a line in `complaints`; a program missing from a build is
/// skipped. Throws Error (unavailable) if no build exists, (bad_input) if one cannot be read.
std::vector<BuiltProgram> programs_for(const Plan& plan, const fs::path& own_folder,
                                       std::vector<std::string>& complaints);

/// A finished run whose record has another compiler or other flags than the plan requires of its build has failed.
void check_build(const std::vector<PlanBuild>& builds, RunEntry& entry);

}  // namespace boltzmark
