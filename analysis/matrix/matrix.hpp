// The first screen of a machine's results, once for the terminal and for the page: the matrix workload x model, what is
// right and what is not, and the machine in a line.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "analysis/roofline/rows.hpp"

namespace boltzmark {

/// Of a model's runs of a problem the fastest right one, else the worst of the others.
struct MatrixCell {
  const Row* row = nullptr;     ///< nullptr where nothing was asked for
  std::optional<double> share;  ///< of the fastest of its problem, where it is right
  bool is_tied = false;         ///< with that
  bool is_right = false;
  bool is_wrong = false;  ///< a run of this model is, be it another
  std::string label;      ///< of its problem, without the workload

  std::optional<double> bound() const;  ///< share of the measured time that its bound takes
};

struct MatrixLine {
  std::string workload, case_name, precision, part, label;
  std::vector<MatrixCell> cells;       ///< one a column
  const Row* fastest = nullptr;        ///< of all
  std::size_t problems = 1, done = 0;  ///< that it stands for; right runs of it
};

/// What a matrix compares: the variants of the same algorithm, or each model's fastest.
enum class View { same_algorithm, best };

/// A line per problem, by size; of STREAM's kernels the triad.
struct Matrix {
  Matrix(const Rows& rows, View view);

  bool has_shares() const;

  /// A line per workload: of each model the cell with the smallest share, or the worst where none has one.
  std::vector<MatrixLine> by_workload() const;

  /// "opencl, 512: DRAM, 88 %": the smallest share where that is behind, and what bounds it; then others.
  std::string furthest(const MatrixLine& line) const;

  std::vector<std::string> columns;  ///< a model, or where it ran on several types of device one for each
  std::vector<MatrixLine> lines;
  bool has_roofs = false;
};

/// The matrix with a line per workload, or where they are at most `most_lines` with all of its lines; below it
/// each wrong run, what was not run here by its reasons, the furthest behind, and how many runs are right.
/// Of the view named first, or of the other where no row is of it.
std::string matrix_text(const std::vector<Row>& rows, View view, int width, std::size_t most_lines);

/// Of more lines a page has one per workload, and all of them folded.
inline constexpr std::size_t most_matrix_lines = 20;

/// All of the first screen for a page to lay out. A run's id is "run-N", N its row of figures.csv from 1 on.
nlohmann::json overview(const Results& results, const std::vector<Row>& rows);

/// What is neither right nor wrong for one reason.
struct Reason {
  std::string state, reason;
  int count = 0;
  std::vector<std::string> who;

  std::string line() const;
};
/// The most frequent first. Runs of several parts count once.
std::vector<Reason> reasons(const Rows& rows);
/// "All 131 runs are right; 4 not available here: ...".
std::string verdict_words(const Rows& rows);
/// How many figures are noisy; "" where all are steady.
std::string noisy(const Rows& rows);
/// "3 rounds.", and where they are too few to rank by; "" without right rows.
std::string rounds_words(const Rows& rows);
/// What ran most first: devices with their bandwidth and arithmetic as measured, compilers, the day.
std::string machine_line(const Rows& rows, const std::vector<nlohmann::json>& peaks);

}  // namespace boltzmark
