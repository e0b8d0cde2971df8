#include "common/memory.hpp"

#include <fmt/format.h>
#include <hwloc.h>
#include <hwloc/glibc-sched.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <memory>
#include <set>

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

/// The last cache between a processor and memory, nullptr without.
hwloc_obj_t last_cache(hwloc_obj_t processor) {
  hwloc_obj_t last = nullptr;
  for (hwloc_obj_t at = processor; at; at = at->parent)
    if (hwloc_obj_type_is_dcache(at->type)) last = at;
  return last;
}

}  // namespace

cpu_set_t usable_processors() {
  cpu_set_t processors;
  if (sched_getaffinity(0, sizeof processors, &processors) != 0)
    for (int processor = 0; processor < CPU_SETSIZE; ++processor) CPU_SET(processor, &processors);
  return processors;
}

std::uint64_t last_level_cache_bytes(const cpu_set_t& processors) {
  hwloc_topology_t loaded = nullptr;
  if (hwloc_topology_init(&loaded) != 0) return 0;
  const std::unique_ptr<hwloc_topology, decltype(&hwloc_topology_destroy)> topology(loaded,
                                                                                    hwloc_topology_destroy);
  const std::unique_ptr<hwloc_bitmap_s, decltype(&hwloc_bitmap_free)> usable(hwloc_bitmap_alloc(),
                                                                             hwloc_bitmap_free);
  if (hwloc_topology_load(loaded) != 0 ||
      hwloc_cpuset_from_glibc_sched_affinity(loaded, usable.get(), &processors, sizeof processors) != 0)
    return 0;
  std::set<hwloc_obj_t> caches;
  unsigned number = 0;
  hwloc_bitmap_foreach_begin(number, usable.get()) {
    const hwloc_obj_t processor = hwloc_get_pu_obj_by_os_index(loaded, number);
    if (const hwloc_obj_t cache = last_cache(processor)) caches.insert(cache);
  }
  hwloc_bitmap_foreach_end();
  std::uint64_t bytes = 0;
  for (const hwloc_obj_t cache : caches) bytes += cache->attr->cache.size;
  return bytes;
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

}  // namespace boltzmark
