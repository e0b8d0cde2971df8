// Makes variants from classes over a model's workers.
#pragma once

#include "common/lbm/solver.hpp"
#include "common/run/workers.hpp"

namespace boltzmark::lbm {

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
