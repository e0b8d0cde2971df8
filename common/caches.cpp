#include "common/caches.hpp"

#include <hwloc.h>

namespace boltzmark {
namespace {

/// Bytes of the cache of this type above the first usable core, shared out among the cores below it.
std::size_t share_of_core(hwloc_topology_t topology, hwloc_obj_type_t type, std::size_t unknown) {
  const hwloc_obj_t core = hwloc_get_obj_by_type(topology, HWLOC_OBJ_CORE, 0);
  const hwloc_obj_t cache = core ? hwloc_get_ancestor_obj_by_type(topology, type, core) : nullptr;
  if (!cache || cache->attr->cache.size == 0) return unknown;
  const int cores = hwloc_get_nbobjs_inside_cpuset_by_type(topology, cache->cpuset, HWLOC_OBJ_CORE);
  return static_cast<std::size_t>(cache->attr->cache.size) / static_cast<std::size_t>(cores > 0 ? cores : 1);
}

CoreCaches look_up() {
  CoreCaches caches;
  hwloc_topology_t topology;
  if (hwloc_topology_init(&topology) != 0) return caches;
  if (hwloc_topology_load(topology) == 0) {
    caches.l1 = share_of_core(topology, HWLOC_OBJ_L1CACHE, caches.l1);
    caches.l2 = share_of_core(topology, HWLOC_OBJ_L2CACHE, caches.l2);
  }
  hwloc_topology_destroy(topology);
  return caches;
}

}  // namespace

const CoreCaches& core_caches() {
  static const CoreCaches caches = look_up();
  return caches;
}

}  // namespace boltzmark
