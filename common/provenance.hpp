// Where a figure comes from: enough to run it again or to know why it cannot be.
#pragma once

#include <string>

namespace boltzmark {

struct Provenance {
  std::string version, revision;  ///< of the suite
  std::string host, cpu, system;
  int cores = 0;     ///< processors this process may use
  std::string date;  ///< now, UTC, ISO 8601
};

Provenance provenance_now();

/// "0.1.0 (revision)".
std::string version_line();

/// Processors this process may run on (its affinity mask).
int usable_cores();

}  // namespace boltzmark
