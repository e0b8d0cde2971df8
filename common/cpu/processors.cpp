#include "common/cpu/processors.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "common/cpu/control_groups.hpp"

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

}  // namespace boltzmark
