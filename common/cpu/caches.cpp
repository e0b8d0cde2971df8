#include "common/cpu/processors.hpp"

#ifndef BOLTZMARK_WITHOUT_HWLOC /* as in a build for another architecture */
#include <hwloc.h>
#include <hwloc/glibc-sched.h>

#include <algorithm>
#include <memory>
#include <set>
#endif

namespace boltzmark {

#ifdef BOLTZMARK_WITHOUT_HWLOC

const CoreCaches& core_caches() {
  static const CoreCaches unknown;
  return unknown;
}
std::uint64_t last_level_cache_bytes(const cpu_set_t&) { return 0; }

#else

namespace {

using Bitmap = std::unique_ptr<hwloc_bitmap_s, decltype(&hwloc_bitmap_free)>;

/// These processors as hwloc's set; empty if hwloc cannot make one.
Bitmap bitmap_of(hwloc_topology_t topology, const cpu_set_t& processors) {
  Bitmap set(hwloc_bitmap_alloc(), hwloc_bitmap_free);
  if (hwloc_cpuset_from_glibc_sched_affinity(topology, set.get(), &processors, sizeof processors) != 0)
    hwloc_bitmap_zero(set.get());
  return set;
}

/// Bytes of the cache of this type above a core, divided by the cores that share it: the smallest among the cores that
/// this process may use, which differ on a hybrid processor.
std::size_t share_of_core(hwloc_topology_t topology, hwloc_obj_type_t type, std::size_t unknown) {
  const Bitmap usable = bitmap_of(topology, usable_processors());
  std::size_t least = 0;
  for (hwloc_obj_t core = nullptr; (core = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_CORE, core)) != nullptr;) {
    if (!hwloc_bitmap_iszero(usable.get()) && !hwloc_bitmap_intersects(core->cpuset, usable.get())) continue;
    const hwloc_obj_t cache = hwloc_get_ancestor_obj_by_type(topology, type, core);
    if (!cache || cache->attr->cache.size == 0) continue;
    const int cores = hwloc_get_nbobjs_inside_cpuset_by_type(topology, cache->cpuset, HWLOC_OBJ_CORE);
    const std::size_t share = cache->attr->cache.size / static_cast<std::size_t>(std::max(1, cores));
    least = least == 0 ? share : std::min(least, share);
  }
  return least == 0 ? unknown : least;
}

/// The last cache between a processor and memory, or nullptr.
hwloc_obj_t last_cache(hwloc_obj_t processor) {
  hwloc_obj_t last = nullptr;
  for (hwloc_obj_t at = processor; at; at = at->parent)
    if (hwloc_obj_type_is_dcache(at->type)) last = at;
  return last;
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

std::uint64_t last_level_cache_bytes(const cpu_set_t& processors) {
  hwloc_topology_t loaded = nullptr;
  if (hwloc_topology_init(&loaded) != 0) return 0;
  const std::unique_ptr<hwloc_topology, decltype(&hwloc_topology_destroy)> topology(loaded, hwloc_topology_destroy);
  if (hwloc_topology_load(loaded) != 0) return 0;
  const Bitmap usable = bitmap_of(loaded, processors);
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

#endif

}  // namespace boltzmark
