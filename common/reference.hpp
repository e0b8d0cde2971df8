// The oracle: the method in double precision, as plain as a textbook and never optimised.
#pragma once

#include "common/check.hpp"
#include "common/problem.hpp"

namespace boltzmark {

/// Runs `steps` time steps of the problem, each phase a loop of its own over unshifted populations.
Answer solve_reference(const Problem& problem, int steps);

}  // namespace boltzmark
