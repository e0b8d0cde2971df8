// --runs: many runs in one process, which waits once for what a runtime, a launcher or a compiler needs to start.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "common/run/team.hpp"

namespace boltzmark {

/// Thrown where a run fails amid its work, and others follow in this process.
struct RunEnded {
  int status;
};
inline bool others_follow = false;

/// A run with a command line of its own; returns its exit status.
using Run = std::function<int(int argc, char** argv)>;

/// Collective: a line of rank 0, none at the end, on every rank.
using ShareLine = std::function<void(std::optional<std::string>& line)>;

/// `run` with this command line. Where that has --runs FILE, with the words of each line of the file behind the others
/// instead; the root prints each one's status. Returns the largest.
int each_run(
    int argc, char** argv, Team& team, const Run& run, const ShareLine& share = [](auto&) {});

}  // namespace boltzmark
