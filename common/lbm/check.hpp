// Holds a run's result against the double-precision oracle.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "common/lbm/problem.hpp"
#include "common/lbm/solver.hpp"
#include "common/run/record.hpp"

namespace boltzmark::lbm {

/// A right answer: average velocity of every step and the final state, in double precision.
struct Answer {
  std::vector<double> av_vels;
  State state;
};

/// What counts as right: 1e-5 in f32, 1e-10 in f64 (README.md of common/ says where that comes from).
double tolerance(Precision precision);

/// Densities and relaxation rates at which every variant computes to that tolerance (README.md of common/).
struct PhysicalRange {
  double least_density, most_density, least_omega;
};
PhysicalRange physical_range(Precision precision);

/// Largest deviations from the right answer; none where a value is not a number or infinite:
///   av_vels    relative, the worst step (one below 1e-6 of the largest value is held against that floor)
///   speed      |difference of the velocity vectors| over the largest speed of the right answer, the worst cell
///   pressure   relative, the worst cell
std::vector<Deviation> compare(std::span<const double> av_vels, const State& state, const Answer& answer);

/// Reads PREFIX.final_state.dat and PREFIX.av_vels.dat for this problem and number of steps.
/// Throws Error (bad_input) with file, line, expected and found.
Answer read_answer(const std::string& prefix, const Problem& problem, int steps);

/// Writes an answer as PREFIX.final_state.dat and PREFIX.av_vels.dat, and last PREFIX.digest, which holds the digests
/// of both as they are on the disk. Throws Error (bad_input).
void write_answer(const std::string& prefix, const Problem& problem, const Answer& answer);

enum class AnswerState {
  whole,    ///< all three files are there, and what they hold is what was written
  absent,   ///< none of them
  damaged,  ///< anything else
};
/// How write_answer()'s files of this prefix are.
AnswerState state_of_answer(const std::string& prefix);

}  // namespace boltzmark::lbm
