// What a record says of a run of lattice Boltzmann whoever did it.
#pragma once

#include "common/lbm/problem.hpp"
#include "common/run/record.hpp"

namespace boltzmark::lbm {

/// Fills in case, steps, updates, bytes held and metrics. Precision and compute seconds are there already. `grids`:
/// copies of the grid that the run keeps; `last_average`: its last average velocity.
void fill_case(const Problem& problem, int steps, int grids, double last_average, Record& record);

}  // namespace boltzmark::lbm
