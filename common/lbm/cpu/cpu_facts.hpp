// What runs of the CPU models say of themselves, but for threads and ranks.
#pragma once

#include <utility>

#include "common/lbm/counting.hpp"
#include "common/lbm/cpu/row_kernels.hpp"
#include "common/lbm/lattice.hpp"
#include "common/run/on_host.hpp"
#include "common/run/program.hpp"

namespace boltzmark::lbm {

/// Of a run that keeps `grids` grids of populations of type T. FLOPs are those of cell.h.
template <class T, class L = D2Q9>
RunFacts cpu_facts(int grids, Settings settings = {}) {
  RunFacts facts;
  facts.grids = grids;
  facts.bytes_per_update = 2.0 * L::directions * sizeof(T);
  facts.flops_per_update = counted_cell_flops<L>();
  facts.settings = std::move(settings);
  return facts;
}

/// Of the in-place and wavefront variants, with `time_block` steps in one sweep over the rows.
template <class T, class L>
RunFacts in_place_facts(const RowKernels<T, L>& kernels, int time_block) {
  RunFacts facts = cpu_facts<T, L>(1, {{"vvl", kernels.lanes}, {"vectors", kernels.name}, {"time_block", time_block}});
  facts.steps_per_launch = time_block;
  return facts;
}

}  // namespace boltzmark::lbm
