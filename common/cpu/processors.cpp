#include "common/cpu/processors.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/base/text.hpp"

namespace boltzmark {
namespace {

/// Hardware threads of one core name the same siblings; "" if the system does not report them.
std::string siblings_of(int processor) {
  std::ifstream in(fmt::format("/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", processor));
  std::string siblings;
  std::getline(in, siblings);
  return siblings;
}

/// 0 if the system does not report them.
int physical_cores() {
  std::set<std::string> cores;
  for (const int processor : usable_processor_numbers()) {
    const std::string siblings = siblings_of(processor);
    if (siblings.empty()) return 0;
    cores.insert(siblings);
  }
  return static_cast<int>(cores.size());
}

/// The number that is a file's only content; no_group_limit for a word like "max" or if there is no such file.
std::uint64_t number_in(const std::string& file) {
  std::ifstream in(file);
  std::uint64_t number = 0;
  return in >> number ? number : no_group_limit;
}

/// The number after `name` in a file of lines "name number"; 0 if it is missing.
std::uint64_t number_behind(const std::string& file, const std::string& name) {
  std::ifstream in(file);
  std::string word;
  for (std::uint64_t number = 0; in >> word;)
    if (word == name && in >> number) return number;
  return 0;
}

/// Folders of this process's group and of all groups above it, as far as they are visible. A line of /proc/self/cgroup
/// is "0::/path" in version 2, "4:memory:/path" in version 1. `machine`: prefix of /proc.
std::vector<std::string> groups(const std::string& root, const std::string& controller,
                                const std::string& machine = "") {
  std::ifstream in(machine + "/proc/self/cgroup");
  std::string path = "/";
  for (std::string line; std::getline(in, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (second == line.npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (controller.empty() ? controllers.empty() : contains(split(controllers, ','), controller))
      path = line.substr(second + 1);
  }
  std::vector<std::string> folders = {machine + root};
  for (std::size_t at = 1; at < path.size() && at != path.npos;) {
    at = path.find('/', at);
    folders.push_back(folders.front() + path.substr(0, at));
    if (at != path.npos) ++at;
  }
  return folders;
}

/// Memory that a group leaves this process: its limit less the memory in use, without pages that only mirror files.
std::uint64_t left_in(const std::string& folder, const char* limit, const char* usage, const char* file_pages) {
  const std::uint64_t allowed = number_in(folder + limit), used = number_in(folder + usage);
  if (allowed == no_group_limit || used == no_group_limit) return no_group_limit;
  const std::uint64_t needed = used - std::min(used, number_behind(folder + "/memory.stat", file_pages));
  return allowed - std::min(allowed, needed);
}

}  // namespace

cpu_set_t usable_processors() {
  static const cpu_set_t usable = [] {
    cpu_set_t processors;
    if (sched_getaffinity(0, sizeof processors, &processors) != 0)
      for (int processor = 0; processor < CPU_SETSIZE; ++processor) CPU_SET(processor, &processors);
    return processors;
  }();
  return usable;
}

std::vector<int> usable_processor_numbers() {
  const cpu_set_t usable = usable_processors();
  std::vector<int> numbers;
  for (int processor = 0; processor < CPU_SETSIZE; ++processor)
    if (CPU_ISSET(processor, &usable)) numbers.push_back(processor);
  return numbers;
}

std::vector<int> usable_processors_by_core() {
  std::map<std::string, int> seen;            // of each core
  std::vector<std::pair<int, int>> in_order;  // place in its core, processor
  for (const int processor : usable_processor_numbers()) {
    const std::string siblings = siblings_of(processor);
    in_order.emplace_back(siblings.empty() ? 0 : seen[siblings]++, processor);
  }
  std::sort(in_order.begin(), in_order.end());
  std::vector<int> processors;
  for (const auto& [place, processor] : in_order) processors.push_back(processor);
  return processors;
}

int usable_cores() {
  static const int cores = [] {
    const cpu_set_t processors = usable_processors();
    return left_in_groups(CPU_COUNT(&processors));
  }();
  return cores;
}

int usable_numa_nodes() {
  std::set<std::string> nodes;
  for (const int processor : usable_processor_numbers()) {
    std::error_code error;
    const std::filesystem::directory_iterator of_processor(fmt::format("/sys/devices/system/cpu/cpu{}", processor),
                                                           error);
    for (const auto& entry : of_processor)
      if (const std::string name = entry.path().filename().string(); name.starts_with("node")) nodes.insert(name);
  }
  return std::max(1, static_cast<int>(nodes.size()));
}

int usable_physical_cores() {
  const int cores = physical_cores();
  return cores > 0 ? std::min(cores, usable_cores()) : usable_cores();
}

std::uint64_t memory_left_in_groups() {
  std::uint64_t left = no_group_limit;
  for (const auto& folder : groups("/sys/fs/cgroup", ""))
    left = std::min(left, left_in(folder, "/memory.max", "/memory.current", "inactive_file"));
  for (const auto& folder : groups("/sys/fs/cgroup/memory", "memory"))
    left = std::min(left, left_in(folder, "/memory.limit_in_bytes", "/memory.usage_in_bytes", "total_inactive_file"));
  return left;
}

double processor_quota(const std::string& machine) {
  double quota = std::numeric_limits<double>::infinity(), share = 0.0, period = 0.0;
  for (const auto& folder : groups("/sys/fs/cgroup", "", machine))
    if (std::ifstream in(folder + "/cpu.max"); in >> share >> period)  // "max 100000" if there is no limit
      quota = std::min(quota, share / period);
  for (const auto& folder : groups("/sys/fs/cgroup/cpu", "cpu", machine)) {
    std::ifstream allowed(folder + "/cpu.cfs_quota_us"), length(folder + "/cpu.cfs_period_us");
    if (allowed >> share && length >> period && share > 0.0) quota = std::min(quota, share / period);
  }
  return quota;
}

std::uint64_t processors_left_in_groups() {
  const double quota = processor_quota();
  return std::isfinite(quota) ? static_cast<std::uint64_t>(std::max(1.0, std::ceil(quota))) : no_group_limit;
}

int left_in_groups(int processors) {
  return static_cast<int>(std::min(static_cast<std::uint64_t>(processors), processors_left_in_groups()));
}

}  // namespace boltzmark
