// What is right: the double-precision oracle, its answers in files, and how a run's result is held against them.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/base/error.hpp"
#include "common/lbm/problem.hpp"
#include "common/lbm/solver.hpp"
#include "common/run/record.hpp"

namespace boltzmark::lbm {

/// A right answer: average velocity of every step and the final state, in double precision.
struct Answer {
  std::vector<double> av_vels;
  State state;
};

/// Memory of solve_reference(): two grids, the answer and the walls.
double reference_bytes(const Problem& problem);

/// Threads that solve_reference() takes by itself: as many as large grids can use, at most the cores.
int reference_threads(const Problem& problem);

/// The oracle: the method in double precision, as plain as a textbook and never optimised. Runs `steps` time steps of
/// the problem on its lattice, each phase a loop of its own over unshifted populations of a row. The answer is the same
/// on any number of threads.
Answer solve_reference(const Problem& problem, int steps, std::optional<int> threads = {});

/// What counts as right: 1e-5 in f32, 1e-10 in f64 (docs/method/checking.md says where that comes from).
double tolerance(Precision precision);

/// Densities and relaxation rates at which every variant computes to that tolerance (docs/method/checking.md).
struct PhysicalRange {
  double least_density, most_density, least_omega;
};
PhysicalRange physical_range(Precision precision);

/// Largest deviations from the right answer; none where a value is not a number or infinite:
///   av_vels    relative, the worst step (one below 1e-6 of the largest value is held against that floor)
///   speed      |difference of the velocity vectors| over the largest speed of the right answer, the worst cell
///   pressure   relative, the worst cell
/// Each says where: "step 312" or "cell 5 7", as the lines of the result files begin; of several values that are not
/// numbers the first.
std::vector<Deviation> compare(std::span<const double> av_vels, const State& state, const Problem& problem,
                               const Answer& answer);

/// What keeps somebody's result files from being held against an answer.
enum class ResultFault {
  missing,    ///< no such file, or nothing that is a file
  too_large,  ///< far beyond what such a file takes
  steps,      ///< av_vels.dat has more or fewer lines than the run has time steps
  lines,      ///< final_state.dat has more or fewer lines than the grid has cells
  format,     ///< a line is not what it should be
};
class ResultError : public Error {
 public:
  ResultError(ResultFault fault, const std::string& line) : Error(ExitStatus::bad_input, line), fault_(fault) {}
  ResultFault fault() const { return fault_; }

 private:
  ResultFault fault_;
};

/// The two result files of any program, of which nothing is believed: FOLDER/final_state.dat and FOLDER/av_vels.dat,
/// which may hold values that are not numbers. Throws ResultError with file, line, expected and found.
Answer read_result(const std::filesystem::path& folder, const Problem& problem, int steps);

/// Right answers as the driver keeps them: NumPy's files, which are read some fifty times as fast as text.
///
///   PREFIX.final_state.npy  u_x, u_y, in three dimensions u_z, density and 1 for solid cells; (fields, [nz,] ny, nx)
///   PREFIX.av_vels.npy      the average velocity of every step; shape (steps)
///   PREFIX.digest           the digests of both
///
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

/// Reads a right answer for this problem and number of steps: what the driver kept, else somebody's
/// PREFIX.final_state.dat and PREFIX.av_vels.dat, else these two in a folder PREFIX. Throws Error (bad_input) with
/// file, line, expected and found.
Answer read_answer(const std::string& prefix, const Problem& problem, int steps);

}  // namespace boltzmark::lbm
