#include "common/cpu/memory.hpp"

#include <fmt/core.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "common/base/error.hpp"
#include "common/cpu/processors.hpp"

namespace boltzmark {
namespace {

/// A line of /proc/meminfo in bytes; no limit if there is no such line.
std::uint64_t meminfo(std::string_view name) {
  std::ifstream in("/proc/meminfo");
  std::string word;
  for (std::uint64_t kib = 0; in >> word;)
    if (word == name && in >> kib) return 1024 * kib;
  return no_group_limit;
}

/// Remaining address space of the process (ulimit -v).
std::uint64_t address_space_left() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return no_group_limit;
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const std::uint64_t used = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

}  // namespace

std::uint64_t total_memory_bytes() { return meminfo("MemTotal:"); }

std::uint64_t available_memory_bytes() {
  return std::min({meminfo("MemAvailable:"), memory_left_in_groups(), address_space_left()});
}

std::string memory_shortage(std::uint64_t bytes) {
  const std::uint64_t available = available_memory_bytes();
  if (bytes <= available / 10 * 9) return "";
  return fmt::format("{:.3g} GiB free in this machine, a tenth of them in reserve",
                     static_cast<double>(available) / (1 << 30));
}

void require_memory(std::string_view what, double bytes) {
  const std::string found = memory_shortage(static_cast<std::uint64_t>(bytes));
  if (!found.empty())
    throw unavailable("expected {:.3g} GiB of memory for {}, found {}", bytes / (1 << 30), what, found);
}

}  // namespace boltzmark
