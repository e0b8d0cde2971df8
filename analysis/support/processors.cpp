#include "analysis/support/processors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>

#include "common/cpu/memory.hpp"
#include "common/run/provenance.hpp"

namespace boltzmark {
namespace {

long read_number(const std::string& file, long otherwise) {
  std::ifstream in(file);
  long value = 0;
  return in >> value ? value : otherwise;
}

/// Hardware threads of one core name the same siblings; 0 where the system does not tell.
int physical_cores() {
  const cpu_set_t allowed = usable_processors();
  std::set<std::string> cores;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed)) continue;
    std::ifstream in(fmt::format("/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", cpu));
    std::string siblings;
    if (!std::getline(in, siblings)) return 0;
    cores.insert(siblings);
  }
  return static_cast<int>(cores.size());
}

/// Processors' worth of time that a control group leaves us (version 2, then 1).
int quota() {
  std::ifstream in("/sys/fs/cgroup/cpu.max");
  double share = 0.0, period = 0.0;
  if (!(in >> share >> period)) {  // "max 100000" when there is no limit
    share = static_cast<double>(read_number("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", -1));
    period = static_cast<double>(read_number("/sys/fs/cgroup/cpu/cpu.cfs_period_us", -1));
  }
  return share > 0.0 && period > 0.0 ? static_cast<int>(std::ceil(share / period)) : INT_MAX;
}

}  // namespace

int usable_physical_cores() {
  const int cores = physical_cores();
  return std::max(1, std::min(cores > 0 ? cores : usable_cores(), quota()));
}

int default_workers() {
  const char* const told = std::getenv("OMP_NUM_THREADS");
  const int threads = told ? std::atoi(told) : 0;
  return threads > 0 ? threads : usable_physical_cores();
}

}  // namespace boltzmark
