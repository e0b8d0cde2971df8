// The build folders that a plan names, to compare compilers and flags: what was built there, and whether it
// is what the plan says.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analysis/run/plan.hpp"
#include "analysis/run/programs.hpp"
#include "analysis/store/run_entry.hpp"

namespace boltzmark {

/// Why a build cannot be used and how to make it, in one line; "" when it is there.
std::string build_missing(const PlanBuild& build);

/// The programs of every build of the plan that is there, build after build; without builds in the plan those
/// beside the driver, in `own_folder`. A build that is not there is a line in `complaints`; a program that one
/// of them lacks is skipped. Throws Error (unavailable) when none is there, (bad_input) when one cannot be
/// read.
std::vector<BuiltProgram> programs_for(const Plan& plan, const std::filesystem::path& own_folder,
                                       std::vector<std::string>& complaints);

/// Holds a finished run against what the plan says of its build: a record with another compiler or other
/// flags makes it a failed one.
void check_build(const std::vector<PlanBuild>& builds, RunEntry& entry);

}  // namespace boltzmark
