#include "analysis/peaks/cpu/topology.hpp"

#include <fmt/core.h>
#include <hwloc.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <type_traits>

#include "analysis/support/locations.hpp"
#include "common/base/error.hpp"
#include "common/cpu/memory.hpp"
#include "common/cpu/processors.hpp"

namespace boltzmark {
namespace {

using Handle = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, decltype(&hwloc_topology_destroy)>;

Handle load() {
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) throw unavailable("hwloc: cannot be started");
  Handle handle(topology, hwloc_topology_destroy);
  if (hwloc_topology_load(topology) != 0) throw unavailable("hwloc: cannot read this machine's topology");
  return handle;
}

/// The first hardware thread of every core that this process may run on.
std::vector<hwloc_obj_t> usable_threads(hwloc_topology_t topology) {
  const cpu_set_t allowed = usable_processors();
  std::vector<hwloc_obj_t> threads;
  std::set<hwloc_obj_t> cores;
  for (hwloc_obj_t thread = nullptr;
       (thread = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, thread)) != nullptr;) {
    if (thread->os_index >= CPU_SETSIZE || !CPU_ISSET(thread->os_index, &allowed)) continue;
    const hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, thread);
    if (cores.insert(core ? core : thread).second) threads.push_back(thread);
  }
  return threads;
}

/// Every cache above these hardware threads, with how many of them are below it; by level.
std::map<unsigned, std::map<hwloc_obj_t, int>> caches_above(const std::vector<hwloc_obj_t>& threads) {
  std::map<unsigned, std::map<hwloc_obj_t, int>> levels;
  for (const hwloc_obj_t thread : threads)
    for (hwloc_obj_t above = thread->parent; above != nullptr; above = above->parent)
      if (hwloc_obj_type_is_dcache(above->type) && above->attr->cache.size > 0)
        ++levels[above->attr->cache.depth][above];
  return levels;
}

}  // namespace

Topology read_topology() {
  const Handle handle = load();
  std::vector<hwloc_obj_t> threads = usable_threads(handle.get());
  if (threads.empty()) throw unavailable("hwloc: expected a processor that this process may use, found none");
  threads.resize(std::min(threads.size(), static_cast<std::size_t>(usable_physical_cores())));
  Topology topology;
  for (const hwloc_obj_t thread : threads) topology.processors.push_back(static_cast<int>(thread->os_index));
  std::map<hwloc_obj_t, int> packages;
  for (const hwloc_obj_t thread : threads)
    ++packages[hwloc_get_ancestor_obj_by_type(handle.get(), HWLOC_OBJ_PACKAGE, thread)];
  topology.sockets = static_cast<int>(packages.size());
  topology.cores_of_socket =
      packages.at(hwloc_get_ancestor_obj_by_type(handle.get(), HWLOC_OBJ_PACKAGE, threads.front()));
  topology.memory_bytes = static_cast<std::int64_t>(total_memory_bytes());
  for (const auto& [level, instances] : caches_above(threads)) {
    CacheLevel cache{.name = fmt::format("L{}", level), .instances = static_cast<int>(instances.size())};
    for (const auto& [object, cores] : instances) {
      const auto bytes = static_cast<std::int64_t>(object->attr->cache.size);
      cache.bytes = cache.bytes == 0 ? bytes : std::min(cache.bytes, bytes);
      cache.cores = std::max(cache.cores, cores);
    }
    topology.caches.push_back(cache);
  }
  return topology;
}

}  // namespace boltzmark
