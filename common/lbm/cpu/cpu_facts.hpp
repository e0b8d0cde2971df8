// What runs of the CPU models say of themselves, but for threads and ranks.
#pragma once

#include <utility>

#include "common/lbm/cell.h"
#include "common/lbm/counting.hpp"
#include "common/run/on_host.hpp"
#include "common/run/program.hpp"

namespace boltzmark::lbm {

/// Of a run that keeps `grids` grids of populations of type T. flops: of an update, by default those of cell.h.
template <class T, class L = D2Q9>
RunFacts cpu_facts(int grids, Settings settings = {}, double flops = counted_cell_flops<L>()) {
  RunFacts facts;
  facts.grids = grids;
  facts.bytes_per_update = 2.0 * L::directions * sizeof(T);
  facts.flops_per_update = flops;
  facts.settings = std::move(settings);
  return facts;
}

}  // namespace boltzmark::lbm
