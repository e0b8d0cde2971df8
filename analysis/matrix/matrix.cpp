#include "analysis/matrix/matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "analysis/roofline/row_text.hpp"
#include "analysis/support/commands.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/print.hpp"
#include "common/base/ranges.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

/// Of a model's runs of a problem: the fastest right one, and of the others the worst.
struct ModelCell {
  const Row* fastest = nullptr;
  std::optional<RunStatus> status;

  double share() const { return fastest ? *fastest->share_of_best : 2.0; }
  std::string text(bool with_roof) const {
    if (status == RunStatus::wrong) return "WRONG";
    if (fastest) {
      const auto roof = fastest->roofline.share_of_nearest();
      return fmt::format("{:.0f}", 100.0 * share()) +
             (with_roof ? roof ? fmt::format("/{:.0f}", 100.0 * *roof) : "/-" : "");
    }
    if (!status) return "";
    if (status == RunStatus::ok) return "not checked";
    return status == RunStatus::impossible ? "-" : to_string(*status);
  }
};

struct Line {
  const Row* first = nullptr;
  const Row* fastest = nullptr;            ///< of all
  std::map<std::string, ModelCell> cells;  ///< by column
  std::size_t problems = 1;
};

/// "128x128 f64", "triad 33554432 f32": without its workload.
std::string problem_words(const Row& row) {
  return fmt::format("{}{} {}", row.part.empty() ? "" : row.part + ' ', row.case_name, row.key.precision);
}

class Matrix {
 public:
  /// Of STREAM's kernels the triad. A run without a record is of the first part of its workload, and of every type of
  /// device of its model.
  explicit Matrix(const Rows& rows) {
    std::map<std::string, std::set<std::string>> types;
    std::map<std::string, std::string> first_part;
    std::map<std::string, double> sizes;
    const auto problem = [&](const Row& row) {
      return problem_of(row) + (row.part.empty() ? first_part[row.key.workload] : "");
    };
    Rows kept;
    for (const Row* row : rows) {
      if (row->key.workload == "stream" && !row->part.empty() && row->part != "triad") continue;
      kept.push_back(row);
      if (!row->record) continue;
      types[row->key.model].insert(row->record->device_type);
      first_part.try_emplace(row->key.workload, row->part);
    }
    for (const Row* row : kept)
      if (row->record) sizes[problem(*row)] = std::max(sizes[problem(*row)], row->record->work.bytes_held);
    std::map<std::tuple<std::string, double, std::string>, Line> by_size;
    for (const Row* row : kept) {
      const auto& of_model = types[row->key.model];
      const std::set<std::string> its = row->record        ? std::set{row->record->device_type}
                                        : of_model.empty() ? std::set<std::string>{""}
                                                           : of_model;
      for (const std::string& type : its)
        take(*row, of_model.size() < 2 ? row->key.model : row->key.model + '_' + type,
             by_size[{row->key.workload, sizes[problem(*row)], problem(*row)}]);
    }
    for (auto& [size, line] : by_size)
      if (std::ranges::any_of(line.cells, [](const auto& cell) { return cell.second.status != RunStatus::impossible; }))
        lines_.push_back(std::move(line));
  }

  std::size_t size() const { return lines_.size(); }
  bool has_roofs() const { return has_roofs_; }

  /// A line per workload.
  void keep_smallest() {
    std::vector<Line> kept;
    for (const Line& line : lines_) {
      if (kept.empty() || kept.back().first->key.workload != line.first->key.workload) {
        kept.push_back(line);
        continue;
      }
      ++kept.back().problems;
      for (const auto& [column, cell] : line.cells) {
        ModelCell& smallest = kept.back().cells[column];
        if (cell.share() < smallest.share()) smallest.fastest = cell.fastest;
        smallest.status = std::max(smallest.status, cell.status);  // none is below all
      }
    }
    lines_ = std::move(kept);
    is_compact_ = true;
  }

  std::string table(int width) const {
    std::vector<Column> columns = {{is_compact_ ? "workload" : "problem", Align::left, true}};
    if (is_compact_)
      columns.push_back({"rows", Align::right});
    else
      columns.insert(columns.end(), {{"fastest", Align::left, true, 1}, {"rate", Align::right, false, 2}});
    for (const std::string& column : columns_) {
      std::string header = column;
      std::ranges::replace(header, '_', '\n');
      columns.push_back({header, Align::right});
    }
    Table table(columns);
    for (const Line& line : lines_) {
      std::vector<Cell> cells = {line.first->key.workload};
      if (is_compact_) {
        cells.push_back(std::to_string(line.problems));
      } else {
        const Row* const fastest = line.fastest;
        cells.front() += ' ' + problem_words(*line.first);
        cells.push_back(fastest ? fastest->key.model + ' ' + fastest->variant : "-");
        cells.push_back(fastest && fastest->rate ? significant(fastest->rate->median, 4) + ' ' + fastest->rate_unit
                                                 : "-");
      }
      for (const std::string& column : columns_) {
        const auto cell = line.cells.find(column);
        cells.push_back(cell == line.cells.end() ? "" : cell->second.text(has_roofs_));
      }
      table.add_row(std::move(cells));
    }
    return table.text(width);
  }

  /// Which cells are behind and for which facts, those of the same facts together.
  std::string behind(int width) const {
    ByName<std::vector<std::string>> causes;
    std::vector<std::string> unknown;
    for (const Line& line : lines_)
      for (const auto& [column, cell] : line.cells) {
        if (!(cell.share() < behind_below)) continue;
        const Row& row = *cell.fastest;
        const std::string words =
            fmt::format("{} {}{} {:.0f}", column, row.key.workload,
                        is_compact_ && line.problems == 1 ? "" : ' ' + problem_words(row), 100.0 * cell.share());
        (row.behind.empty() ? unknown : causes[row.behind]).push_back(words);
      }
    std::string text;
    for (const auto& [cause, cells] : causes)
      text += wrapped(one_line(fmt::format("behind: {}: {}", cause, join(cells, ", "))), width, 2);
    if (!unknown.empty())
      text += wrapped(one_line("behind, and no recorded fact explains it: " + join(unknown, ", ")), width, 2);
    return text;
  }

 private:
  void take(const Row& row, const std::string& column, Line& line) {
    if (!line.first || (row.record && !line.first->record)) line.first = &row;
    if (!contains(columns_, column)) columns_.insert(std::ranges::lower_bound(columns_, column), column);
    ModelCell& cell = line.cells[column];
    if (!row.is_right()) cell.status = std::max(cell.status.value_or(RunStatus::ok), row.status);
    if (!row.share_of_best) return;
    cell.fastest = &row;
    has_roofs_ |= row.roofline.share_of_roof.has_value();
    if (*row.share_of_best == 1.0) line.fastest = &row;
  }

  std::vector<std::string> columns_;
  std::vector<Line> lines_;  ///< by workload, size and precision
  bool is_compact_ = false, has_roofs_ = false;
};

/// Wrong rows, a line each; what else failed or cannot run here, a line for each cause.
std::string unfinished(const Rows& rows, int width) {
  std::string text;
  ByName<std::pair<int, std::vector<std::string>>> causes;
  for (const Row* row : rows) {
    if (row->status == RunStatus::ok) continue;
    if (row->status == RunStatus::wrong) {
      text += wrapped(one_line(fmt::format("{} {}: {}", row->key.workload, problem_words(*row), status_words(*row))),
                      width, 2);
      continue;
    }
    const std::string own = row->variant + ": ";  // the same words for all that have the same reason
    auto& [count, programs] =
        causes[fmt::format("{}: {}", row->status == RunStatus::impossible ? "not run here" : to_string(row->status),
                           row->reason.starts_with(own) ? row->reason.substr(own.size()) : row->reason)];
    ++count;
    add_once(programs, row->key.model + ' ' + row->key.workload);
  }
  for (const auto& [cause, runs] : causes)
    text += wrapped(one_line(fmt::format("{}: {} of {}", cause, counted(runs.first, "row"), join(runs.second, ", "))),
                    width, 2);
  return text;
}

}  // namespace

std::string matrix_text(const std::vector<Row>& rows, int width, std::size_t most_rows) {
  Rows all;
  for (const Row& row : rows)
    if (row.source == "runs") all.push_back(&row);
  if (all.empty()) return "";
  const auto count = [&all](auto&& fits) { return std::ranges::count_if(all, fits); };
  const auto right = count([](const Row*row) { return row->is_right(); }),
             unchecked = count([](const Row*row) { return row->is_done() && !row->is_checked(); }),
             wrong = count([](const Row*row) { return row->status == RunStatus::wrong; }),
             noted = count([](const Row*row) { return !row->notes.empty(); });
  Matrix matrix(all);
  const bool is_compact = matrix.size() > most_rows;
  if (is_compact) matrix.keep_smallest();
  std::string text = wrapped(
      fmt::format("Every model's fastest in %: of the rate of the fastest there{}; {}",
                  matrix.has_roofs() ? ", and of its roof" : " (boltzmark peaks measures roofs)",
                  is_compact ? "of a workload the row with the smallest share (all rows: boltzmark matrix --all)"
                             : "a row per problem"),
      width);
  text += fmt::format("\n{}\n{}{}", matrix.table(width), unfinished(all, width), matrix.behind(width));
  text += fmt::format("{} right, {} wrong", counted(right, "row"), wrong);
  if (unchecked > 0) text += fmt::format(", {} not checked", unchecked);
  if (noted > 0) text += fmt::format("; {} with remarks on their figures: in column notes of figures.csv", noted);
  return text + '\n' + footer(rows, width);
}

int matrix_command(const MatrixOptions& options) {
  const Results results = read_results(options.results);
  for (const std::string& complaint : results.complaints) print_warning("boltzmark", complaint);
  std::vector<Row> rows = make_rows(results);
  if (options.like_for_like) {
    std::erase_if(rows, [](const Row& row) { return row.record && row.record->role != "like-for-like"; });
    add_shares(rows, results.peaks ? &*results.peaks : nullptr);
  }
  print_text(stdout, matrix_text(rows, table_width(), options.all ? SIZE_MAX : 0));
  return 0;
}

}  // namespace boltzmark
