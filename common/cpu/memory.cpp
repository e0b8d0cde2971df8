#include "common/cpu/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "common/base/error.hpp"

namespace boltzmark {
namespace {

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

/// The number in a file that holds only that; `no_limit` for a word like "max" or no such file.
std::uint64_t number_in(const std::string& file) {
  std::ifstream in(file);
  std::uint64_t number = 0;
  return in >> number ? number : no_limit;
}

/// The number behind `name` in a file of lines "name number"; 0 without.
std::uint64_t number_behind(const std::string& file, const std::string& name) {
  std::ifstream in(file);
  std::string word;
  for (std::uint64_t number = 0; in >> word;)
    if (word == name && in >> number) return number;
  return 0;
}

/// What a control group leaves us: its limit less what is in use, of which the system gives back what only
/// mirrors files.
std::uint64_t left_in_group(const std::string& folder, const char* limit, const char* usage,
                            const char* file_pages) {
  const std::uint64_t allowed = number_in(folder + limit), used = number_in(folder + usage);
  if (allowed == no_limit || used == no_limit) return no_limit;
  const std::uint64_t needed = used - std::min(used, number_behind(folder + "memory.stat", file_pages));
  return allowed - std::min(allowed, needed);
}

}  // namespace

cpu_set_t usable_processors() {
  cpu_set_t processors;
  if (sched_getaffinity(0, sizeof processors, &processors) != 0)
    for (int processor = 0; processor < CPU_SETSIZE; ++processor) CPU_SET(processor, &processors);
  return processors;
}

std::uint64_t available_memory_bytes() {
  const std::uint64_t kib = number_behind("/proc/meminfo", "MemAvailable:");
  const std::uint64_t machine = kib > 0 ? 1024 * kib : no_limit;
  const std::string groups = "/sys/fs/cgroup/";
  return std::min({machine, left_in_group(groups, "memory.max", "memory.current", "inactive_file"),
                   left_in_group(groups + "memory/", "memory.limit_in_bytes", "memory.usage_in_bytes",
                                 "total_inactive_file")});
}

std::string memory_shortage(std::uint64_t bytes) {
  const std::uint64_t available = available_memory_bytes();
  if (bytes <= available / 10 * 9) return "";
  return fmt::format("{:.1f} GiB free in this machine", static_cast<double>(available) / (1 << 30));
}

void require_memory(std::string_view what, double bytes) {
  const std::string found = memory_shortage(static_cast<std::uint64_t>(bytes));
  if (!found.empty())
    throw unavailable("expected {:.1f} GiB of memory for {}, found {}", bytes / (1 << 30), what, found);
}

}  // namespace boltzmark
