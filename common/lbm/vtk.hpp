// The final state for visualisation programs such as ParaView.
#pragma once

#include <filesystem>

#include "common/lbm/problem.hpp"
#include "common/lbm/solver.hpp"

namespace boltzmark::lbm {

/// Writes velocity, pressure and obstacles as VTK XML image data, a point for each cell: single precision, binary,
/// appended as it lies in memory. The file appears whole or not at all. Throws Error (bad_input).
void write_vtk(const std::filesystem::path& file, const Problem& problem, const State& state);

}  // namespace boltzmark::lbm
