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
  const Row* row = nullptr;  ///< nullptr where nothing was asked for
  bool is_right = false;
  bool is_wrong = false;  ///< a run of this model is, be it another
  std::string label;      ///< of its problem, without the workload

  std::optional<double> share() const;  ///< of the fastest of its problem
  std::optional<double> roof() const;   ///< of the lowest roof
};

struct MatrixLine {
  std::string workload, case_name, precision, part, label;
  std::vector<MatrixCell> cells;       ///< one a column
  const Row* fastest = nullptr;        ///< of all
  std::size_t problems = 1, done = 0;  ///< that it stands for; right runs of it
};

/// A line per problem, by size; of STREAM's kernels the triad.
struct Matrix {
  explicit Matrix(const Rows& rows);

  /// A line per workload: of each model the cell with the smallest share, or the worst where none has one.
  std::vector<MatrixLine> by_workload() const;

  /// "opencl, 512: 1 step a sweep, best 8": the smallest share where that is behind, then others' known causes.
  std::string furthest(const MatrixLine& line) const;

  std::vector<std::string> columns;  ///< a model, or where it ran on several types of device one for each
  std::vector<MatrixLine> lines;
  bool has_roofs = false;
};

/// The matrix with a line per workload, or where they are at most `most_lines` with all of its lines; below it
/// each wrong run, what was not run here by its reasons, the furthest behind, and how many runs are right.
std::string matrix_text(const std::vector<Row>& rows, int width, std::size_t most_lines);

/// Of more lines a page has one per workload, and all of them folded.
inline constexpr std::size_t most_matrix_lines = 20;

/// All of the first screen for a page to lay out. A run's id is "run-N", N its row of figures.csv from 1 on.
nlohmann::json overview(const Results& results, const std::vector<Row>& rows);

}  // namespace boltzmark
