// Output of a run: the two results in the coursework's format, a picture, VTK data, and the case in its record. Each
// file appears complete or not at all; the writers throw Error (bad_input).
#pragma once

#include <filesystem>
#include <span>

#include "common/base/files.hpp"
#include "common/lbm/problem.hpp"
#include "common/lbm/solver.hpp"

namespace boltzmark {
struct Record;
}
namespace boltzmark::lbm {

/// Names of the two files.
inline constexpr const char *state_file = "final_state.dat", *averages_file = "av_vels.dat";

/// Writes `x y u_x u_y |u| pressure obstacle` for every cell, ordered by y and then by x, numbers as %.12E; in
/// three dimensions `x y z u_x u_y u_z |u| pressure obstacle`, ordered by z first.
void write_final_state(AtomicFile& file, const Problem& problem, const State& state);

/// Writes `step:\tvalue` lines, numbers as %.12E.
void write_av_vels(AtomicFile& file, std::span<const double> av_vels);

/// Sets solid cells to rest at the initial density, as the output format requires.
void set_solid_cells(const Problem& problem, State& state);

/// Writes |u| of every cell as a PNG of nx x ny pixels, in three dimensions of plane nz/2: y upwards, from dark for
/// rest to bright for the largest speed, obstacles grey.
void write_speed_image(const std::filesystem::path& file, const Problem& problem, const State& state);

/// Writes velocity, pressure and obstacles as VTK XML image data (ParaView), one point per cell: single precision,
/// binary, appended.
void write_vtk(const std::filesystem::path& file, const Problem& problem, const State& state);

/// Fills in case, steps, updates, bytes held and metrics. Precision and compute seconds are set already. `grids`:
/// copies of the grid that the run keeps; `last_average`: its last average velocity.
void fill_case(const Problem& problem, int steps, int grids, double last_average, Record& record);

}  // namespace boltzmark::lbm
