// The oracle: the method in double precision, as plain as a textbook and never optimised.
#pragma once

#include "common/lbm/check.hpp"
#include "common/lbm/lattice.hpp"
#include "common/lbm/problem.hpp"

namespace boltzmark::lbm {

/// What solve_reference() takes: two grids, its answer and a byte for the obstacle.
constexpr double reference_bytes_per_cell =
    2.0 * Lattice::directions * sizeof(double) + State::bytes_per_cell + 1.0;

/// Runs `steps` time steps of the problem, each phase a loop of its own over unshifted populations.
Answer solve_reference(const Problem& problem, int steps);

}  // namespace boltzmark::lbm
