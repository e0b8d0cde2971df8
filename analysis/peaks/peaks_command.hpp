// `boltzmark peaks`: what this machine can do at most, measured once and kept.
#pragma once

#include <filesystem>
#include <string>

namespace boltzmark {

/// What the user asked for.
struct PeaksOptions {
  std::filesystem::path results = "results";
  std::string only;                   ///< "cpu", "opencl", or "" for both
  double time_limit_seconds = 600.0;  ///< of each measuring program
  bool fresh = false, brief = false, quiet = false, dry_run = false;
};

/// Returns the exit status: 0 done, 1 something that can be measured here failed, 130 or 143 after SIGINT or
/// SIGTERM. Throws Error (bad_input, unavailable).
int peaks_command(const PeaksOptions& options);

}  // namespace boltzmark
