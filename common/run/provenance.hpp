// Origin of a figure: enough to repeat the run, or to know why it cannot be repeated.
#pragma once

#include <string>

namespace boltzmark {

struct Provenance {
  std::string version;   ///< of the suite
  std::string revision;  ///< the last commit that changed programs, "-dirty" with local changes, "unknown" outside git
  std::string compiler, flags;  ///< compiler of the program
  std::string host, cpu;
  int cores = 0;        ///< processors that the process may use
  std::string system;   ///< operating system and kernel
  std::string date;     ///< start of the run, UTC, ISO 8601
  std::string command;  ///< the command line
};

/// How this program was built: from common/run/how_built.cpp, which libraries and tests lack.
struct BuildInfo {
  const char *compiler = "", *flags = "";
};
BuildInfo build_info();

/// Version and revision of the programs' sources, defined in run/revision.cpp, the only source that is always compiled
/// anew when they change.
extern const char *const source_version, *const source_revision;

/// Provenance of this process, now; without the command.
Provenance provenance_now();

/// The processor's name.
std::string cpu_name();

/// "0.2.0 (revision)".
std::string version_line();

}  // namespace boltzmark
