// --runs: many runs in one process, which pays once for the start of a runtime, a launcher or a compiler.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "common/run/team.hpp"

namespace boltzmark {

/// Thrown if a run fails in the middle of its work while others follow in this process.
struct RunEnded {
  int status;
};
inline bool others_follow = false;

/// A run with its own command line; returns its exit status.
using Run = std::function<int(int argc, char** argv)>;

/// Collective: a line of rank 0 on every rank, or nothing at the end.
using ShareLine = std::function<void(std::optional<std::string>& line)>;

/// Calls `run` with this command line, or, if it has --runs FILE, once for each line of the file with the line's words
/// appended; the root then prints each status. Returns the largest status.
int each_run(
    int argc, char** argv, Team& team, const Run& run, const ShareLine& share = [](auto&) {});

}  // namespace boltzmark
