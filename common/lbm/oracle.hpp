// The oracle: the method in double precision, as plain as a textbook and never optimised.
#pragma once

#include "common/lbm/check.hpp"
#include "common/lbm/problem.hpp"

namespace boltzmark::lbm {

/// What solve_reference() takes: two grids, its answer and what it knows of walls.
double reference_bytes(const Problem& problem);

/// Runs `steps` time steps of the problem on its lattice, each phase a loop of its own over unshifted populations.
Answer solve_reference(const Problem& problem, int steps);

}  // namespace boltzmark::lbm
