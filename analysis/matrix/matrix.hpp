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
  const Row* row = nullptr;  ///< nullptr if nothing was requested
  ShareOfFastest place;      ///< with a share if it is right
  bool is_wrong = false;     ///< a run of this model is, be it another
  std::string label;         ///< of its problem, without the workload

  bool is_right() const { return place.share.has_value(); }
  std::string standing() const;         ///< "behind", "undecided (about 12 rounds would decide)"
  std::optional<double> bound() const;  ///< share of the measured time that its bound takes
  std::string bound_words() const;      ///< in per cent, "15\u201330" under a noisy roof; "-" where it is not known
  std::string sign() const;             ///< "=" of a tie, "?" if it is undecided, "\u00b7" if it is not ranked
  std::string mark() const;             ///< "!" if the figure is noisy
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
  Matrix(const Rows& rows, View its_view);

  bool has_shares() const;

  /// "1.05 x opencl": the fastest over that of the next model, with its sign; "tie: mpi, stdpar; undecided: tbb" if
  /// there are such.
  std::string ahead(const MatrixLine& line) const;
  /// The same as a sentence, with the compilers of the models named if these differ.
  std::string sentence(const MatrixLine& line) const;

  /// A line per workload: for each model the cell with the smallest share, or the worst if no cell has a share.
  std::vector<MatrixLine> by_workload() const;

  /// "opencl on 512, 25 % of the fastest (DRAM, 88 %)": the smallest share that is ranked as behind, and its bound; then
  /// others. Of a line of by_workload() over all of its problems.
  std::string furthest(const MatrixLine& line) const;

  View view;
  std::vector<std::string> columns;  ///< a model, or one for each type of device on which it ran
  std::vector<MatrixLine> lines;
  bool has_roofs = false;

 private:
  /// For a line with a fastest run: numbers of its cell and of cells tied with it; of cells too noisy to be
  /// distinguished from it; then the next cell of another model.
  struct Leaders {
    std::vector<std::size_t> first, undecided;
    std::optional<std::size_t> next;
  };
  static Leaders leaders(const MatrixLine& line);
};

/// Of the view of the same algorithm: what stands for it where variants differ in name, and workloads without any:
/// "matmul: blocked (opencl, cuda), tiled (openmp-target)".
std::vector<std::string> same_words(const Matrix& matrix, const Rows& plans);

/// A sentence per problem: which model is fastest at the same algorithm, or, of workloads without it, at all.
std::vector<std::string> ranking(const Rows& rows);
/// The first of these, for a terminal.
std::vector<std::string> first_of_ranking(const Rows& rows);

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
/// States the number of rounds behind a figure, and when models tie, or that the rounds are too few for a ranking; ""
/// without right rows.
std::string rounds_words(const Rows& rows);
/// For each model of this build without any of these runs, made on this machine, a line: how to add it, or what to
/// install.
std::vector<std::string> absent_models(const Rows& rows);
/// "GNU 12.2": of a row with a record.
std::string compiler_of(const Row& row);
/// How far figures can be compared, in sentences: rounds, noisy figures, compilers and threads that differ, absent
/// models.
std::vector<std::string> conditions(const Rows& rows);
/// Most frequent first: devices with their measured bandwidth and arithmetic, compilers, the day.
std::string machine_line(const Rows& rows, const std::vector<nlohmann::json>& peaks);

}  // namespace boltzmark
