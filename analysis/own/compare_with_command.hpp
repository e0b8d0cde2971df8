// `boltzmark compare-with`: somebody's own program beside ours, on one problem.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "analysis/run/own_program.hpp"

namespace boltzmark {

/// The problem: a standard one, or two files.
struct ProblemOptions {
  std::string name;
  std::string params, obstacles;
  std::optional<int> steps;  ///< instead of the parameter file's

  bool is_given() const { return !name.empty() || !params.empty() || !obstacles.empty(); }
  /// What find_case() takes. Throws Error (bad_input) where one of the two files is missing.
  std::vector<std::string> words() const;
};

struct CompareWithOptions {
  OwnProgram program;  ///< base, environment, threads and ranks are not the command line's
  ProblemOptions problem;
  std::string precision = "f32";
  std::vector<std::string> models;  ///< to compare with; empty: all
  std::optional<int> threads, ranks;
  int repeats = 3;
  double time_limit_seconds = 600.0;
  std::filesystem::path results = "results";
  bool quiet = false;
  std::string command_line;  ///< as typed, to say how to go on
};

/// Runs the program, serial's textbook and what each model has like for like, or takes what the results folder has of
/// these, and prints the comparison. Exit status and errors as run_command().
int compare_with_command(const CompareWithOptions& options);

}  // namespace boltzmark
