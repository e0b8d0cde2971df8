// `boltzmark run` for a plan that is no file.
#pragma once

#include <vector>

#include "analysis/roofline/figures.hpp"
#include "analysis/run/plan.hpp"
#include "analysis/support/commands.hpp"

namespace boltzmark {

/// As run_command(). `rows` gets the plan's rows of the table of figures.
int run_plan(const RunOptions& options, Plan plan, std::vector<Row>& rows);

}  // namespace boltzmark
