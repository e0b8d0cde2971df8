// What the solvers here say of themselves and ask of their device.
#pragma once

#include "common/base/error.hpp"
#include "common/base/text.hpp"
#include "common/cpu/memory.hpp"
#include "common/lbm/counting.hpp"
#include "common/lbm/lattice.hpp"
#include "openmp_target/runtime/device.hpp"

namespace boltzmark::openmp_target {

/// That a device lacks `bytes` for this many grids; `found` is what it has.
inline Error memory_error(const OffloadDevice& device, int grids, double bytes, const std::string& found) {
  return unavailable("{}: expected {:.1f} GiB of memory for {}, found {}", device.name(), bytes / (1 << 30),
                     counted(grids, "grid"), found);
}
inline void require_memory_on(const OffloadDevice& device, int grids, double bytes) {
  const std::string found = memory_shortage_on(device, bytes);
  if (!found.empty()) throw memory_error(device, grids, bytes, found);
}

/// Of a run with populations of type T. FLOPs are those of cell.h.
template <class T, class L>
RunFacts lbm_facts(const OffloadDevice& device, const Launch& launch, const LaunchRecord& record, int grids,
                   int steps_per_launch) {
  RunFacts facts = device_facts(device, launch, record);
  facts.grids = grids;
  facts.bytes_per_update = 2.0 * L::directions * sizeof(T);
  facts.flops_per_update = lbm::counted_cell_flops<L>();
  facts.steps_per_launch = steps_per_launch;
  return facts;
}

}  // namespace boltzmark::openmp_target
