// Closed boxes of any size, for plans whose grids grow with the number of workers.
#pragma once

#include <filesystem>

#include "common/lbm/problem.hpp"

namespace boltzmark {

/// A box whose every border cell is an obstacle, with the coefficients of the standard 1024x1024 problem:
/// "box_1024x256" for 1024 x 256 cells.
Problem box_problem(int nx, int ny, int iterations);

/// Writes the two files of a problem, from which load_problem() makes an equal one. Throws Error (bad_input).
void write_problem_files(const Problem& problem, const std::filesystem::path& params,
                         const std::filesystem::path& obstacles);

}  // namespace boltzmark
