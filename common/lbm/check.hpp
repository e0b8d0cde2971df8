// The reference in double precision (the oracle), its results in files, and the comparison of a run with them.
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

/// A reference result: average velocity of every step and the final state, in double precision.
struct Answer {
  std::vector<double> av_vels;
  State state;
};

/// Memory of solve_reference(): two grids, the answer and the walls.
double reference_bytes(const Problem& problem);

/// Default number of threads of solve_reference(): as many as large grids can use, at most the cores.
int reference_threads(const Problem& problem);

/// The oracle: the method in double precision, as plain as a textbook and never optimised. Runs `steps` time steps of
/// the problem on its lattice, each phase a separate loop over unshifted populations of a row. The result is the same
/// on any number of threads.
Answer solve_reference(const Problem& problem, int steps, std::optional<int> threads = {});

/// Tolerance: 1e-5 in f32, 1e-10 in f64 (reasons: docs/method/checking.md).
double tolerance(Precision precision);

/// Densities and relaxation rates at which every variant computes to that tolerance (docs/method/checking.md).
struct PhysicalRange {
  double least_density, most_density, least_omega;
};
PhysicalRange physical_range(Precision precision);

/// Largest deviations from the reference; empty if a value is NaN or infinite:
///   av_vels    relative, the worst step (one below 1e-6 of the largest value is held against that floor)
///   speed      |difference of the velocity vectors| over the largest speed of the right answer, the worst cell
///   pressure   relative, the worst cell
/// Each says where: "step 312" or "cell 5 7", as the lines of the result files begin; if several values are not
/// numbers, the first.
std::vector<Deviation> compare(std::span<const double> av_vels, const State& state, const Problem& problem,
                               const Answer& answer);

/// Faults that prevent the comparison of external result files.
enum class ResultFault {
  missing,    ///< no such file, or not a regular file
  too_large,  ///< far larger than any such file
  steps,      ///< av_vels.dat has more or fewer lines than the run has time steps
  lines,      ///< final_state.dat has more or fewer lines than the grid has cells
  format,     ///< a line is wrong
};
class ResultError : public Error {
 public:
  ResultError(ResultFault fault, const std::string& line) : Error(ExitStatus::bad_input, line), fault_(fault) {}
  ResultFault fault() const { return fault_; }

 private:
  ResultFault fault_;
};

/// The two result files of any program, read without trust: FOLDER/final_state.dat and FOLDER/av_vels.dat, which may
/// hold NaN. Throws ResultError with file, line, expected and found.
Answer read_result(const std::filesystem::path& folder, const Problem& problem, int steps);

/// Reference results as the driver keeps them: NumPy's files, which are read some fifty times as fast as text.
///
///   PREFIX.final_state.npy  u_x, u_y, in three dimensions u_z, density and 1 for solid cells; (fields, [nz,] ny, nx)
///   PREFIX.av_vels.npy      the average velocity of every step; shape (steps)
///   PREFIX.digest           the digests of both
///
/// Writes a reference result, its digests last. Throws Error (bad_input).
void write_answer(const std::string& prefix, const Problem& problem, const Answer& answer);

enum class AnswerState {
  whole,    ///< all three files exist, with the contents that were written
  absent,   ///< none of the first two
  damaged,  ///< anything else
};
/// State of write_answer()'s files of this prefix.
AnswerState state_of_answer(const std::string& prefix);

/// Whether there are such files; text files of the same prefix are then ignored.
bool has_kept_answer(const std::string& prefix);

/// Reads the files of write_answer() for this problem and number of steps. Throws Error (bad_input) with file, expected
/// and found.
Answer read_kept_answer(const std::string& prefix, const Problem& problem, int steps);

/// Reads a reference result for this problem and number of steps: the driver's files, else PREFIX.final_state.dat and
/// PREFIX.av_vels.dat, else these two in a folder PREFIX. Throws Error (bad_input) with file, line, expected and found.
Answer read_answer(const std::string& prefix, const Problem& problem, int steps);

}  // namespace boltzmark::lbm
