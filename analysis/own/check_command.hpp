// `boltzmark check`: many folders of somebody's results, or of sources to be built and run, each held against the right
// answer of its problem.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "analysis/own/compare_with_command.hpp"

namespace boltzmark {

struct CheckOptions {
  std::vector<std::string> folders;
  ProblemOptions problem;  ///< not given: each folder's own
  std::string build;       ///< "": make, where there is a Makefile
  std::string run;         ///< "": usual_own_command
  bool no_run = false;     ///< the files that are there, nothing else
  double tolerance = own_tolerance;
  std::optional<int> threads;
  double time_limit_seconds = 60.0;
  int memory_limit_megabytes = 4096;
  std::filesystem::path results = "checks";
  bool again = false, quiet = false;
  std::string command_line;  ///< as typed, to say how to go on
};

/// What a build of the coursework's sources makes.
inline constexpr const char* usual_own_command = "./d2q9-bgk {params} {obstacles}";

/// Exit status: 0 all are right, 1 some are not, 130 or 143 after SIGINT or SIGTERM. Throws Error (bad_input).
int check_command(const CheckOptions& options);

}  // namespace boltzmark
