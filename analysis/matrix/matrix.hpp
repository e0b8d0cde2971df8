// The first screen of a machine's results, for both terminal and page: the matrix of workloads and models, the right
// and wrong runs, and the machine in a line.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "analysis/roofline/rows.hpp"

namespace boltzmark {

/// The fastest right run of a model on a problem, else the worst of the others.
struct MatrixCell {
  const Row* row = nullptr;     ///< nullptr if nothing was requested
  std::optional<double> share;  ///< share of the fastest of its problem, if it is right
  bool is_tied = false;         ///< with that
  bool is_right = false;
  bool is_wrong = false;  ///< a run of this model is, be it another
  std::string label;      ///< of its problem, without the workload

  std::optional<double> bound() const;  ///< share of the measured time that its bound takes
  std::string bound_words() const;      ///< in per cent, "15\u201330" under a noisy roof; "-" where it is not known
};

struct MatrixLine {
  std::string workload, case_name, precision, part, label;
  std::vector<MatrixCell> cells;       ///< one a column
  const Row* fastest = nullptr;        ///< of all
  std::size_t problems = 1, done = 0;  ///< number of problems that it stands for; right runs
};

/// Comparison in a matrix: the variants of the same algorithm, or each model's fastest.
enum class View { same_algorithm, best };

/// A line per problem, by size; for STREAM's kernels the triad.
struct Matrix {
  Matrix(const Rows& rows, View view);

  bool has_shares() const;

  /// A line per workload: for each model the cell with the smallest share, or the worst if no cell has a share.
  std::vector<MatrixLine> by_workload() const;

  /// "opencl, 512: DRAM, 88 %": the smallest share, if that is behind, and its bound; then others.
  std::string furthest(const MatrixLine& line) const;

  std::vector<std::string> columns;  ///< a model, or one for each type of device on which it ran
  std::vector<MatrixLine> lines;
  bool has_roofs = false;
};

/// The matrix with a line per workload, or with all of its lines if there are at most `most_lines`; below it each wrong
/// run, the runs that were not possible by reason, the models furthest behind, and the number of right runs. For the
/// view named first, or for the other one if no row belongs to the first.
std::string matrix_text(const std::vector<Row>& rows, View view, int width, std::size_t most_lines);

/// With more lines a page shows one per workload, and all of them folded.
inline constexpr std::size_t most_matrix_lines = 20;

/// All data of the first screen for a page. A run's id is "run-N", N its row of figures.csv from 1 on.
nlohmann::json overview(const Results& results, const std::vector<Row>& rows);

/// Runs that are neither right nor wrong for one reason.
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
/// Number of noisy figures; "" if there are none.
std::string noisy(const Rows& rows);
/// "3 rounds.", with a note if they are too few for a ranking; "" without right rows.
std::string rounds_words(const Rows& rows);
/// Most frequent first: devices with their measured bandwidth and arithmetic, compilers, the day.
std::string machine_line(const Rows& rows, const std::vector<nlohmann::json>& peaks);

}  // namespace boltzmark
