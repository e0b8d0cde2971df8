// Holds a run's result against the double-precision oracle.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "common/model.hpp"
#include "common/problem.hpp"

namespace boltzmark {

/// A right answer: average velocity of every step and the final state, in double precision.
struct Answer {
  std::vector<double> av_vels;
  State state;
};

/// Largest deviations from the right answer.
struct Deviation {
  double av_vels =
      0.0;  ///< relative, the worst step (a step below 1e-6 of the largest value is held against that floor)
  double speed = 0.0;  ///< |difference of the velocity vectors| over the largest speed of the right answer,
                       ///< the worst cell
  double pressure = 0.0;  ///< relative, the worst cell
  bool finite = true;     ///< false when any value is not a number or infinite

  double largest() const;
  bool within(double tolerance) const { return finite && largest() <= tolerance; }
};

/// What counts as right: 1e-5 in f32, 1e-10 in f64 (see README of this folder for where that comes from).
double tolerance(Precision precision);

Deviation compare(std::span<const double> av_vels, const State& state, const Answer& answer);

/// Reads PREFIX.final_state.dat and PREFIX.av_vels.dat for this problem and number of steps.
/// Throws Error (bad_input) with file, line, expected and found.
Answer read_answer(const std::string& prefix, const Problem& problem, int steps);

/// Writes an answer as PREFIX.final_state.dat and PREFIX.av_vels.dat. Throws Error (bad_input).
void write_answer(const std::string& prefix, const Problem& problem, const Answer& answer);

}  // namespace boltzmark
