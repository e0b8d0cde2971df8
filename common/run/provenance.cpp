#include "common/run/provenance.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>

#include "common/base/clock.hpp"
#include "common/cpu/processors.hpp"

namespace boltzmark {

std::string cpu_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  utsname system{};
  uname(&system);
  return system.machine;  // not every architecture names its model
}

[[gnu::weak]] BuildInfo build_info() { return {}; }

Provenance provenance_now() {
  utsname system{};
  uname(&system);
  return {.version = source_version,
          .revision = source_revision,
          .compiler = build_info().compiler,
          .flags = build_info().flags,
          .host = system.nodename,
          .cpu = cpu_name(),
          .cores = usable_cores(),
          .system = fmt::format("{} {} {}", system.sysname, system.release, system.machine),
          .date = date_as("%Y-%m-%dT%H:%M:%SZ"),
          .command = ""};
}

std::string version_line() { return fmt::format("{} ({})", source_version, source_revision); }

}  // namespace boltzmark
