// The final speed field as a picture.
#pragma once

#include <filesystem>

#include "common/lbm/problem.hpp"
#include "common/lbm/solver.hpp"

namespace boltzmark::lbm {

/// Writes |u| of every cell, in three dimensions of plane nz/2, as a PNG of nx x ny pixels (y upwards, dark = slow, bright = the largest speed,
/// obstacles grey). The file appears whole or not at all. Throws Error (bad_input).
void write_speed_image(const std::filesystem::path& file, const Problem& problem, const State& state);

}  // namespace boltzmark::lbm
