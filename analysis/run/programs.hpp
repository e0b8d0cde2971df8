// The programs that were built, and what they say of themselves.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "analysis/run/own_program.hpp"
#include "analysis/support/signals.hpp"
#include "common/run/describe.hpp"

namespace boltzmark {

/// A program as CMake wrote it into programs.json: a model at a workload.
struct BuiltProgram {
  std::string workload, model;
  std::string build = {};  ///< name of the plan's build that it is of; "" = the driver's own
  std::filesystem::path path;
  bool launcher = false;                       ///< started through an MPI launcher
  std::string skipped;                         ///< why it was not built and what to install, "" when it was
  std::shared_ptr<const OwnProgram> own = {};  ///< not of CMake: the user's
};

/// Reads FOLDER/programs.json: all that the configuration knows, also what has not been built yet. Throws Error
/// (bad_input).
std::vector<BuiltProgram> configured_programs(const std::filesystem::path& folder);

/// The same, where what is not there is skipped and says how to build it.
std::vector<BuiltProgram> read_programs(const std::filesystem::path& folder);

/// Their workloads or models, each once, in the order of the list.
std::vector<std::string> names_in(const std::vector<BuiltProgram>& programs, std::string BuiltProgram::*name);

/// Runs the program with --describe and other options, if any. Throws Error with what it says when it does not
/// answer: bad_input where it does not know the options, else unavailable.
ProgramDescription ask(const BuiltProgram& program, const std::vector<std::string>& options,
                       SignalWatch& signals);

/// The variant of this name, or else the first in this role; nullptr where there is neither.
const VariantDescription* find_variant(const ProgramDescription& program, const std::string& name_or_role);

/// Why this variant and precision cannot be had ("" as variant: the program's default), "" when they can.
std::string lacks(const ProgramDescription& program, const std::string& variant,
                  const std::string& precision);

/// The line in which a program says why it fails, out of its standard error: its own last line of that kind, or
/// the last line of all. "" when there is none.
std::string reason_in(const std::string& errors, const std::string& program);

}  // namespace boltzmark
