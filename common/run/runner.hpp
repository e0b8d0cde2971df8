// The one main of all programs: parse, load, init, run, collect, check, write, report.
#pragma once

#include <string>

#include "common/run/program.hpp"
#include "common/run/team.hpp"
#include "common/run/workload.hpp"

namespace boltzmark {

/// Runs a program; returns its exit status.
int run_main(int argc, char** argv, const Program& program, Workload& workload, Team& team);

/// Name of the executable: "lbm-openmp-target".
std::string program_name(const Program& program, const Workload& workload);

}  // namespace boltzmark
