// Where a figure comes from: enough to run it again or to know why it cannot be.
#pragma once

#include <string>

namespace boltzmark {

struct Provenance {
  std::string version;          ///< of the suite
  std::string revision;         ///< of git, "-dirty" with local changes, "unknown" outside git
  std::string compiler, flags;  ///< that the program was built with
  std::string host, cpu;
  int cores = 0;        ///< processors that the process may use
  std::string system;   ///< operating system and kernel
  std::string date;     ///< start of the run, UTC, ISO 8601
  std::string command;  ///< the command line
};

/// Of this process, now; without compiler, flags and command.
Provenance provenance_now();

/// The processor's name.
std::string cpu_name();

/// "0.2.0 (revision)".
std::string version_line();

}  // namespace boltzmark
