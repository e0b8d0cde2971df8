// `boltzmark run`: does a plan's runs, keeps each as it ends, and prints the comparison.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "analysis/roofline/figures.hpp"
#include "analysis/run/plan.hpp"

namespace boltzmark {

/// What the user asked for; unset means as the plan says.
struct RunOptions {
  std::string plan = "quick";  ///< name or file
  std::filesystem::path results = "results";
  std::optional<int> repeats;
  std::vector<std::string> workloads, models, cases, builds;
  std::optional<double> time_limit_seconds;
  std::string launcher, launcher_arguments;
  std::optional<int> nodes, ranks_per_node, cpus_per_rank;  ///< any of them: what a job may use
  bool fresh = false, quiet = false, dry_run = false, programs = false;
  std::string command_line;  ///< as typed, to say how to go on
};

/// Returns the exit status: 0 all that can run is right, 1 something is wrong or failed, 130 or 143 after
/// SIGINT or SIGTERM. Throws Error (bad_input).
int run_command(const RunOptions& options);

/// The same for a plan that is no file. `rows` gets its rows of the table of figures.
int run_plan(const RunOptions& options, Plan plan, std::vector<Row>& rows);

}  // namespace boltzmark
