// The two result files of a run, in the coursework's format.
#pragma once

#include <span>

#include "common/base/files.hpp"
#include "common/lbm/problem.hpp"
#include "common/lbm/solver.hpp"

namespace boltzmark::lbm {

/// What programs call the two.
inline constexpr const char *state_file = "final_state.dat", *averages_file = "av_vels.dat";

/// Writes `x y u_x u_y |u| pressure obstacle` for every cell, ordered by y and then by x, numbers as %.12E; in
/// three dimensions `x y z u_x u_y u_z |u| pressure obstacle`, ordered by z first.
void write_final_state(AtomicFile& file, const Problem& problem, const State& state);

/// Writes `step:\tvalue` lines, numbers as %.12E.
void write_av_vels(AtomicFile& file, std::span<const double> av_vels);

/// Sets solid cells to rest at the initial density, as the output format wants them.
void set_solid_cells(const Problem& problem, State& state);

}  // namespace boltzmark::lbm
