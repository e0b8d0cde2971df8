// A folder that `boltzmark check` was given: what it contains, how it is checked, and which row of the results is its.
#pragma once

#include "analysis/run/cases.hpp"
#include "analysis/support/commands.hpp"

namespace boltzmark {

/// A folder of the command line, and how it is checked.
struct CheckedFolder {
  std::string name;  ///< as the user named it
  fs::path folder;
  bool is_sources = false;
  std::string build;
  std::shared_ptr<const Case> of;
  std::string fault, reason;  ///< verdict and reason if it cannot be checked
  nlohmann::json key;
};

/// `of_all` is the problem of all folders, or null: each has its own. What is wrong with the folder becomes its fault.
CheckedFolder checked_folder(const std::string& name, const CheckOptions& options,
                             const std::shared_ptr<const Case>& of_all);

/// Throws Error (bad_input) if no folder contains a problem and one was needed.
void expect_problem(const std::vector<CheckedFolder>& all);

/// The command that runs a program.
std::string run_line(const CheckOptions& options);

}  // namespace boltzmark
