// Right answers as the driver keeps them: NumPy's files, which are read some fifty times as fast as text.
//
// PREFIX.final_state.npy  u_x, u_y, in three dimensions u_z, density and 1 for solid cells; shape (fields, [nz,] ny,
// nx)
//   PREFIX.av_vels.npy      the average velocity of every step; shape (steps)
//   PREFIX.digest           the digests of both
#pragma once

#include <string>

#include "common/lbm/check.hpp"
#include "common/lbm/problem.hpp"

namespace boltzmark::lbm {

/// Writes an answer, its digests last. Throws Error (bad_input).
void write_answer(const std::string& prefix, const Problem& problem, const Answer& answer);

enum class AnswerState {
  whole,    ///< all three files are there, and what they hold is what was written
  absent,   ///< none of the first two
  damaged,  ///< anything else
};
/// How write_answer()'s files of this prefix are.
AnswerState state_of_answer(const std::string& prefix);

/// Whether there are such files; text of the same prefix is then not looked at.
bool has_kept_answer(const std::string& prefix);

/// Reads what write_answer() wrote for this problem and number of steps. Throws Error (bad_input) with file, expected
/// and found.
Answer read_kept_answer(const std::string& prefix, const Problem& problem, int steps);

}  // namespace boltzmark::lbm
