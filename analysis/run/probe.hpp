// What there is: the programs that a plan needs, asked what they can do.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/run/plan.hpp"
#include "analysis/run/programs.hpp"

namespace boltzmark {

/// Option words for a program, as its key has them.
using Words = std::vector<std::string>;

struct DeviceCount {
  int number = 0;
  std::string failure = {};  ///< why there is no answer, "" when there is
  bool is_refused = false;   ///< which is the plan's fault
};

/// A program of the plan and what it said when asked.
struct ProbedProgram {
  BuiltProgram program;
  ProgramDescription description = {};
  std::string failure = {};  ///< why it gave no answer, "" when it did
  std::string digest = {};   ///< of the executable, "" when it was not built
  /// Where the plan wants devices: how many of that type the program lists with a run's options, or why none.
  std::map<Words, DeviceCount> devices = {};

  bool takes(const std::string& option) const;
};

/// Whether a run of the plan is one with this program.
bool is_for(const PlanRun& run, const BuiltProgram& program);

/// A run's options as words. A run for every model gives an option only to those that take it; a run for one
/// model means what it says.
Words option_words(const PlanRun& run, const ProbedProgram& program);

/// Somebody's own program, which says nothing.
ProbedProgram probe_own(const std::shared_ptr<const OwnProgram>& own);

/// The program and what it says of itself.
ProbedProgram probe(const BuiltProgram& program, SignalWatch& signals);

/// Throws Error (bad_input) for a run whose workload or model does not exist.
void check_runs(const Plan& plan, const std::vector<BuiltProgram>& programs);

/// Asks the programs that the plan's runs need; ends early at a stop signal. Throws as check_runs().
std::vector<ProbedProgram> probe_programs(const Plan& plan, const std::vector<BuiltProgram>& programs,
                                          SignalWatch& signals);

}  // namespace boltzmark
