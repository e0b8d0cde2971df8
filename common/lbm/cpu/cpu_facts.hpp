// Facts of runs of the CPU models for the record, except threads and ranks.
#pragma once

#include <type_traits>
#include <utility>

#include "common/base/half.hpp"
#include "common/lbm/cell.h"
#include "common/lbm/counting.hpp"
#include "common/lbm/solver.hpp"
#include "common/run/program.hpp"
#include "common/run/workers.hpp"

namespace boltzmark::lbm {

template <class T>
constexpr const char* storage_name = std::is_same_v<T, Half>      ? "f16"
                                     : sizeof(T) == sizeof(float) ? "f32"
                                                                  : "f64";

/// Facts of a run with `grids` grids of populations of type T. flops: per update, by default those of cell.h.
template <class T, class L = D2Q9>
RunFacts cpu_facts(int grids, Settings settings = {}, double flops = counted_cell_flops<L>()) {
  RunFacts facts;
  facts.grids = grids;
  facts.bytes_per_update = 2.0 * L::directions * sizeof(T);
  if (grids == 2) facts.fetched_per_update = 0.5 * facts.bytes_per_update;  // the grid that a step only writes
  facts.flops_per_update = flops;
  if constexpr (std::is_same_v<T, Half>) facts.tolerance = half_tolerance;
  facts.settings = std::move(settings);
  return facts;
}

// Makes variants from classes over a model's workers.

/// `.make` of a class template over element type and lattice that is constructed from workers and options; stored_by()
/// for one with storage_option().
template <template <class T, class L> class Class>
auto by(StartWorkers* start_workers) {
  return [start_workers](const Problem& problem, const Options& asked) {
    return make_solver<Class>(problem, asked.precision, start_workers(asked), asked);
  };
}
template <template <class T, class L> class Class>
auto stored_by(StartWorkers* start_workers) {
  return [start_workers](const Problem& problem, const Options& asked) {
    return make_stored<Class>(problem, asked, start_workers(asked), asked);
  };
}

/// A model's textbook, for both lattices.
template <template <class T, class L> class Class>
Variant textbook_of(const char* summary, StartWorkers* start_workers) {
  Variant variant = boltzmark::textbook_of(summary, by<Class>(start_workers));
  variant.kinds = {D3Q19::name};
  return variant;
}

}  // namespace boltzmark::lbm
